import de.bwaldvogel.mongo.MongoCollection;
import de.bwaldvogel.mongo.MongoDatabase;
import de.bwaldvogel.mongo.backend.CursorRegistry;
import de.bwaldvogel.mongo.backend.h2.H2Database;
import java.util.List;
import org.h2.mvstore.MVStore;

/** Keeps a renamed collection: the library leaves its maps under the old name, where the next start misses them. */
final class DurableDatabase extends H2Database {

    private final MVStore store;

    DurableDatabase(String name, MVStore store, CursorRegistry cursors) {
        super(name, store, cursors);
        this.store = store;
    }

    @Override
    public void moveCollection(MongoDatabase from, MongoCollection<?> collection, String newName) {
        String before = collection.getFullName();
        super.moveCollection(from, collection, newName);
        String after = collection.getFullName();
        rename("databases." + before, "databases." + after);
        rename("meta." + before, "meta." + after);
        String index = before + "._index_";
        for (String map : List.copyOf(store.getMapNames())) {
            if (map.startsWith(index)) {
                rename(map, after + "._index_" + map.substring(index.length()));
            }
        }
    }

    private void rename(String from, String to) {
        store.removeMap(to);
        store.renameMap(store.openMap(from), to);
    }
}
