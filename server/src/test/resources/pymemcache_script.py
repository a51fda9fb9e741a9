"""What Python's pymemcache does with a server: the port is the first argument, the certificate the second one if it
is to use TLS. Ends with "passed"."""

import ssl
import sys

from pymemcache import MemcacheIllegalInputError
from pymemcache.client.base import Client, PooledClient
from pymemcache.client.hash import HashClient

address = ("127.0.0.1", int(sys.argv[1]))
tls = None
if len(sys.argv) > 2:
    tls = ssl.create_default_context(cafile=sys.argv[2])
    tls.check_hostname = False


def work(client):
    client.flush_all()
    assert client.set("text", "Gr\u00fc\u00dfe".encode()) is True
    assert client.get("text").decode() == "Gr\u00fc\u00dfe"
    assert client.add("text", b"x", noreply=False) is False
    assert client.replace("text", b"1", noreply=False) is True
    assert client.append("text", b"2", noreply=False) is True
    assert client.prepend("text", b"0", noreply=False) is True
    value, cas = client.gets("text")
    assert value == b"012"
    assert client.cas("text", b"3", cas, noreply=False) is True
    assert client.cas("text", b"4", cas, noreply=False) is False
    assert client.cas("absent", b"4", cas, noreply=False) is None
    assert client.set_many({"k%d" % i: b"v%d" % i for i in range(200)}, noreply=False) == []
    found = client.get_many(["k%d" % i for i in range(0, 400, 2)])
    assert found == {"k%d" % i: b"v%d" % i for i in range(0, 200, 2)}
    assert client.set("n", b"10", noreply=False) is True
    assert client.incr("n", 5) == 15
    assert client.decr("n", 50) == 0
    assert client.incr("absent", 1) is None
    assert client.touch("text", 100, noreply=False) is True
    assert client.touch("absent", 100, noreply=False) is False
    assert client.delete("text", noreply=False) is True
    assert client.delete("text", noreply=False) is False
    assert client.get("text") is None
    assert client.delete_many(["k1", "k2"], noreply=False) is True
    big = bytes(range(256)) * 4096
    assert client.set("big", big, noreply=False) is True
    assert client.get("big") == big


base = Client(address, timeout=20, connect_timeout=20, tls_context=tls)
work(base)
assert base.version().startswith(b"1.6.")
assert b"cmd_get" in base.stats()
try:
    base.set("no spaces", b"x")
    raise AssertionError("a key with a space was sent")
except MemcacheIllegalInputError:
    pass
assert base.raw_command(b"mg k5 k s t") == b"HD kk5 s2 t-1"
base.quit()
pool = PooledClient(address, max_pool_size=4, timeout=20, tls_context=tls)
work(pool)
pool.close()
ring = HashClient([address], timeout=20, tls_context=tls)
ring.set("a", b"1", noreply=False)
assert ring.get("a") == b"1"
ring.close()
print("passed")
