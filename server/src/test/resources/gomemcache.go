// gomemcache against the server whose address is the first argument.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/bradfitz/gomemcache/memcache"
)

func check(ok bool, what string, err error) {
	if !ok {
		fmt.Println("failed:", what, err)
		os.Exit(1)
	}
}

func main() {
	c := memcache.New(os.Args[1])
	check(c.Ping() == nil, "ping", nil)
	err := c.Set(&memcache.Item{Key: "a", Value: []byte("one"), Flags: 7})
	check(err == nil, "set", err)
	it, err := c.Get("a")
	check(err == nil && string(it.Value) == "one" && it.Flags == 7, "get", err)
	it.Value = []byte("two")
	err = c.CompareAndSwap(it)
	check(err == nil, "cas", err)
	it.Value = []byte("three")
	err = c.CompareAndSwap(it)
	check(errors.Is(err, memcache.ErrCASConflict), "old cas", err)
	err = c.Add(&memcache.Item{Key: "a", Value: []byte("x")})
	check(errors.Is(err, memcache.ErrNotStored), "add", err)
	err = c.Replace(&memcache.Item{Key: "b", Value: []byte("x")})
	check(errors.Is(err, memcache.ErrNotStored), "replace", err)
	err = c.Append(&memcache.Item{Key: "a", Value: []byte("+")})
	check(err == nil, "append", err)
	err = c.Prepend(&memcache.Item{Key: "a", Value: []byte("-")})
	check(err == nil, "prepend", err)
	it, err = c.Get("a")
	check(err == nil && string(it.Value) == "-two+", "get again", err)
	err = c.Set(&memcache.Item{Key: "n", Value: []byte("9")})
	check(err == nil, "set number", err)
	n, err := c.Increment("n", 3)
	check(err == nil && n == 12, "incr", err)
	n, err = c.Decrement("n", 20)
	check(err == nil && n == 0, "decr", err)
	err = c.Touch("n", 100)
	check(err == nil, "touch", err)
	it, err = c.GetAndTouch("n", 100)
	check(err == nil && strings.TrimSpace(string(it.Value)) == "0", "gat", err)
	many, err := c.GetMulti([]string{"a", "n", "none"})
	check(err == nil && len(many) == 2, "get multi", err)
	big := []byte(strings.Repeat("v", 900000))
	err = c.Set(&memcache.Item{Key: "big", Value: big})
	check(err == nil, "set big", err)
	it, err = c.Get("big")
	check(err == nil && string(it.Value) == string(big), "get big", err)
	err = c.Delete("a")
	check(err == nil, "delete", err)
	_, err = c.Get("a")
	check(errors.Is(err, memcache.ErrCacheMiss), "miss", err)
	err = c.FlushAll()
	check(err == nil, "flush", err)
	_, err = c.Get("n")
	check(errors.Is(err, memcache.ErrCacheMiss), "flushed", err)
	fmt.Println("passed")
}
