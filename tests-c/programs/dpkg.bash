# Packages are listed, built, read and unpacked; apt builds its cache anew.
# needs: dpkg dpkg-deb apt-cache apt-config
run dpkg -l | cksum
run dpkg -S /bin/bash /usr/bin/dpkg
run dpkg -L bash | cksum
run dpkg-query -W -f '${Package} ${Version} ${Depends}\n' | cksum
run dpkg --print-architecture
run dpkg --compare-versions 1:2.0~rc1-1 lt 1:2.0-1 && echo older
export SOURCE_DATE_EPOCH=1700000000
mkdir -p package/DEBIAN package/usr/share/thing
for i in $(seq 40); do text $((i * 50)) >"package/usr/share/thing/f$i"; done
find package -exec touch -d @1700000000 {} +
printf 'Package: thing\nVersion: 1.0\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: thing\n' \
    >package/DEBIAN/control
for kind in xz gzip none; do
    run dpkg-deb --root-owner-group -Z$kind --build package thing.$kind.deb
    cksum <thing.$kind.deb
    run dpkg-deb -I thing.$kind.deb | cksum
    run dpkg-deb -c thing.$kind.deb | cksum
    run dpkg-deb -x thing.$kind.deb out.$kind
    diff -r package/usr out.$kind/usr && echo "same $kind"
done
fresh='-o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache='
run apt-cache $fresh policy bash dpkg libc6
run apt-cache $fresh stats | cksum
run apt-cache $fresh depends --recurse bash | cksum
run apt-config dump | cksum
