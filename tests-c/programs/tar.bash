# Archives, and compression in several threads, back and forth.
# needs: tar xz gzip bzip2 zstd
mkdir tree
for i in $(seq 60); do
    mkdir -p "tree/d$((i % 7))"
    text $((i * 25)) >"tree/d$((i % 7))/f$i"
done
same='--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner'
run tar $same -cf a.tar tree
cksum <a.tar
run xz -T2 --block-size=256KiB -k a.tar
run xz -9e -c a.tar | cksum
run gzip -9nk a.tar
run bzip2 -k a.tar
run zstd -q -T2 -12 -k a.tar
for kind in xz gz bz2 zst; do
    cksum <"a.tar.$kind"
    run tar -tvf "a.tar.$kind" | cksum
    mkdir "out.$kind"
    run tar -xf "a.tar.$kind" -C "out.$kind"
    diff -r tree "out.$kind/tree" && echo "same $kind"
done
run tar $same -I 'xz -T2' -cf b.tar.xz tree
run xz -T2 -dc b.tar.xz | cksum
run xz --list --robot a.tar.xz | cksum
run tar -cf c.tar tree
run tar -df c.tar && echo nothing differs
