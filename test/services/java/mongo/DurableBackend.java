import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.exception.MongoServerError;
import io.netty.channel.Channel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.h2.mvstore.MVStore;

/**
 * Commits before it answers, so that `kill -9` loses nothing acknowledged; and runs the statements of a bulk one by
 * one, as mongod does: each is durable for itself, and an ordered bulk stops at its first error.
 */
final class DurableBackend extends H2Backend {

    private static final Map<String, String> STATEMENTS =
        Map.of("insert", "documents", "update", "updates", "delete", "deletes");

    DurableBackend(MVStore store) {
        super(store);
    }

    @Override
    protected MongoDatabase openOrCreateDatabase(String name) {
        return new DurableDatabase(name, getMvStore(), getCursorRegistry());
    }

    @Override
    public Document handleCommand(Channel channel, String database, String command, Document query) {
        try {
            String statements = STATEMENTS.get(command);
            return statements == null
                ? super.handleCommand(channel, database, command, query)
                : handleBulk(channel, database, command, statements, query);
        } finally {
            commit();
        }
    }

    @SuppressWarnings("unchecked")
    private Document handleBulk(Channel channel, String database, String command, String field, Document query) {
        boolean ordered = !Boolean.FALSE.equals(query.get("ordered"));
        int n = 0;
        int nModified = 0;
        List<Document> upserted = new ArrayList<>();
        List<Document> writeErrors = new ArrayList<>();
        List<Document> statements = (List<Document>) query.get(field);
        for (int index = 0; index < statements.size() && !(ordered && !writeErrors.isEmpty()); index++) {
            Document single = query.clone();
            single.put(field, List.of(statements.get(index)));
            Document answer = handleStatement(channel, database, command, single);
            commit();
            List<Document> errors = (List<Document>) answer.getOrDefault("writeErrors", List.of());
            for (Document error : errors) {
                error.put("index", index);
                writeErrors.add(error);
            }
            // The answer to an insert counts the document that it refused, too.
            n += errors.isEmpty() ? (Integer) answer.get("n") : 0;
            nModified += (Integer) answer.getOrDefault("nModified", 0);
            for (Document upsert : (List<Document>) answer.getOrDefault("upserted", List.of())) {
                upsert.put("index", index);
                upserted.add(upsert);
            }
        }
        Document answer = new Document("n", n);
        if (command.equals("update")) {
            answer.put("nModified", nModified);
        }
        if (!upserted.isEmpty()) {
            answer.put("upserted", upserted);
        }
        if (!writeErrors.isEmpty()) {
            answer.put("writeErrors", writeErrors);
        }
        return answer.append("ok", 1.0);
    }

    private Document handleStatement(Channel channel, String database, String command, Document single) {
        try {
            return super.handleCommand(channel, database, command, single);
        } catch (MongoServerError e) {
            Document error = new Document("errmsg", e.getMessageWithoutErrorCode()).append("code", e.getCode());
            return new Document("n", 0).append("writeErrors", List.of(error));
        }
    }
}
