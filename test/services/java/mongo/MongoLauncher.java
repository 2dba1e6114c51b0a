import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import java.net.InetSocketAddress;
import java.util.List;
import org.h2.mvstore.MVStore;

/** Speaks MongoDB's protocol on 127.0.0.1. Arguments: the port, and the file that keeps the data. */
final class MongoLauncher {

    /** The driver asks for wire version 9 at least; 21 is MongoDB 7.0's. */
    private static final MongoVersion VERSION = new MongoVersion() {
        @Override
        public List<Integer> getVersionArray() {
            return List.of(7, 0, 0);
        }

        @Override
        public int getWireVersion() {
            return 21;
        }
    };

    public static void main(String[] args) {
        // The store never commits by itself: half a statement (a document without its index entry) must not last.
        MVStore store = new MVStore.Builder().fileName(args[1]).autoCommitDisabled().autoCommitBufferSize(0).open();
        // Space is used again at once: each commit writes whole pages, 20 KB for a document of 500 bytes.
        store.setRetentionTime(0);
        DurableBackend backend = new DurableBackend(store);
        backend.version(VERSION);
        MongoServer server = new MongoServer(backend);
        // One worker: a document is changed in place, and another thread could send half of a change.
        server.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(args[0])), 1, 1);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
    }
}
