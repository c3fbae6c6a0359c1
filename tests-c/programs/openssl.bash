# Digests, ciphers, keys, signatures, certificates.
# needs: openssl
text 100000 >input
for digest in md5 sha256 sha512 sha3-256 blake2b512; do run openssl dgst -$digest input; done
run openssl dgst -sha256 -hmac secret input
for cipher in aes-256-cbc aes-128-ctr chacha20 camellia-256-cbc; do
    run openssl enc -$cipher -pbkdf2 -iter 2000 -S 0102030405060708 -pass pass:word -in input -out input.$cipher
    cksum <input.$cipher
    run openssl enc -d -$cipher -pbkdf2 -iter 2000 -S 0102030405060708 -pass pass:word -in input.$cipher | cmp - input
done
run openssl base64 -in input | run openssl base64 -d | cmp - input
cat >ed25519.pem <<'P'
-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
P
run openssl pkey -in ed25519.pem -text -noout
head -c 1000 input >short
run openssl pkeyutl -sign -inkey ed25519.pem -rawin -in short | run openssl base64
run openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out rsa.pem 2>/dev/null ||
    run openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out rsa.pem 2>/dev/null
run openssl dgst -sha256 -sign rsa.pem -out signature input
run openssl rsa -in rsa.pem -pubout -out public.pem 2>/dev/null
run openssl dgst -sha256 -verify public.pem -signature signature input
run openssl req -x509 -key ed25519.pem -days 10 -subj '/CN=example.org/O=Nobody' -out cert.pem
run openssl x509 -in cert.pem -noout -subject -issuer -pubkey
run openssl verify -CAfile cert.pem cert.pem
for i in $(seq 20); do run openssl req -new -key rsa.pem -subj "/CN=host$i" 2>/dev/null | run openssl req -noout -subject -verify 2>&1; done
run openssl prime 170141183460469231731687303715884105727 1000001
run openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt key:secret -kdfopt salt:salt HKDF
run openssl list -digest-algorithms | cksum
run openssl ciphers -v ALL | cksum
