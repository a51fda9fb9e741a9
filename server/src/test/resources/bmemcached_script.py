"""What Python's bmemcached does with a server over TLS, logged in: port and certificate are the arguments. Ends with
"passed"."""

import ssl
import sys

import bmemcached

context = ssl.create_default_context(cafile=sys.argv[2])
context.check_hostname = False
address = "127.0.0.1:" + sys.argv[1]
client = bmemcached.Client(
    (address,), "ada", "secret", tls_context=context, socket_timeout=60
)
client.enable_retry_delay(False)

assert client.flush_all() is True
assert client.set("text", "Gr\u00fc\u00dfe") is True
assert client.get("text") == "Gr\u00fc\u00dfe"
assert client.add("text", "x") is False
assert client.replace("text", {"n": 1}) is True
value, cas = client.gets("text")
assert value == {"n": 1}
assert client.cas("text", "swapped", cas) is True
assert client.cas("text", "again", cas) is False
assert client.set("n", "10") is True
assert client.incr("n", 5) == 15
assert client.decr("n", 50) == 0
assert client.set_multi({"k%d" % i: "v%d" % i for i in range(200)}) == []
found = client.get_multi(["k%d" % i for i in range(0, 400, 2)])
assert found == {"k%d" % i: "v%d" % i for i in range(0, 200, 2)}
big = "x" * 900000
assert client.set("big", big, compress_level=0) is True
assert client.get("big") == big
assert client.delete("text") is True
assert client.get("text") is None
client.disconnect_all()

stranger = bmemcached.Client(
    (address,), "ada", "wrong", tls_context=context, socket_timeout=60
)
try:
    assert not stranger.set("text", "stolen")
except bmemcached.exceptions.AuthenticationNotSupported:
    raise
except bmemcached.exceptions.MemcachedException as refused:
    assert "auth" in str(refused).lower(), refused
finally:
    stranger.disconnect_all()
print("passed")
