# The compiler, three collectors, threads with small stacks, direct buffers, zip streams and child processes.
# needs: java javac
cat >Work.java <<'J'
import java.io.*;
import java.nio.ByteBuffer;
import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

public class Work {
    static long tree(int depth) {
        Object[] node = make(depth);
        return size(node);
    }
    static Object[] make(int depth) {
        return depth == 0 ? new Object[0] : new Object[] { make(depth - 1), make(depth - 1) };
    }
    static long size(Object[] node) {
        return node.length == 0 ? 1 : 1 + size((Object[]) node[0]) + size((Object[]) node[1]);
    }
    static int deep(int n) {
        return n == 0 ? 0 : 1 + deep(n - 1);
    }
    public static void main(String[] arguments) throws Exception {
        Map<String, List<Integer>> table = new HashMap<>();
        for (int i = 0; i < 300000; i++)
            table.computeIfAbsent("key" + i % 7000, k -> new ArrayList<>()).add(i);
        System.out.println("map " + table.size() + " " + table.get("key17").size());
        for (int i = 0; i < 5; i++)
            System.out.println("tree " + tree(14 + i % 2));
        List<Thread> threads = new ArrayList<>();
        long[] sums = new long[200];
        for (int i = 0; i < sums.length; i++) {
            int me = i;
            Thread thread = new Thread(null, () -> sums[me] = deep(200) + tree(6), "t" + i, 160 << 10);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads)
            thread.join();
        System.out.println("threads " + Arrays.stream(sums).sum());
        long total = 0;
        for (int i = 0; i < 300; i++) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(100000 + i * 100);
            buffer.putInt(buffer.capacity() - 4, i);
            total += buffer.getInt(buffer.capacity() - 4);
        }
        System.out.println("direct " + total);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Long>> parts = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            int seed = i;
            parts.add(pool.submit(() -> {
                byte[] bytes = new byte[300000];
                new Random(seed).nextBytes(bytes);
                for (int k = 0; k < bytes.length; k++)
                    bytes[k] &= 15;
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
                    zip.write(bytes);
                }
                CRC32 sum = new CRC32();
                sum.update(new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes());
                return sum.getValue();
            }));
        }
        long zipped = 0;
        for (Future<Long> part : parts)
            zipped += part.get();
        pool.shutdown();
        System.out.println("zip " + zipped);
        for (int i = 0; i < 3; i++) {
            Process child = new ProcessBuilder("echo", "child " + i).start();
            System.out.print(new String(child.getInputStream().readAllBytes()));
            child.waitFor();
        }
        try {
            List<byte[]> keep = new ArrayList<>();
            while (true)
                keep.add(new byte[8 << 20]);
        } catch (OutOfMemoryError error) {
            System.out.println("OutOfMemoryError");
        }
    }
}
J
run javac Work.java
for collector in Serial G1; do
    run java "-XX:+Use${collector}GC" -Xmx96m -Xss256k -cp . Work
done
