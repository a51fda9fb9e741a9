// Couchbase's Go SDK against the server of the first argument, as user ada.
package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/couchbase/gocb/v2"
)

func check(ok bool, what string, err error) {
	if !ok {
		fmt.Println("failed:", what, err)
		os.Exit(1)
	}
}

type doc struct {
	Name string `json:"name"`
	N    int    `json:"n"`
}

func main() {
	cluster, err := gocb.Connect(os.Args[1], gocb.ClusterOptions{
		Authenticator: gocb.PasswordAuthenticator{Username: "ada", Password: "secret"},
	})
	check(err == nil, "connect", err)
	bucket := cluster.Bucket("default")
	err = bucket.WaitUntilReady(20*time.Second, &gocb.WaitUntilReadyOptions{
		ServiceTypes: []gocb.ServiceType{gocb.ServiceTypeKeyValue}})
	check(err == nil, "ready", err)
	c := bucket.DefaultCollection()
	made, err := c.Insert("a", doc{"x", 1}, nil)
	check(err == nil, "insert", err)
	_, err = c.Insert("a", doc{"x", 1}, nil)
	check(errors.Is(err, gocb.ErrDocumentExists), "insert again", err)
	got, err := c.Get("a", &gocb.GetOptions{WithExpiry: true})
	check(err == nil && got.Cas() == made.Cas(), "get", err)
	var d doc
	err = got.Content(&d)
	check(err == nil && d.Name == "x" && d.N == 1, "content", err)
	_, err = c.Upsert("a", doc{"y", 2}, &gocb.UpsertOptions{Expiry: time.Hour})
	check(err == nil, "upsert", err)
	_, err = c.Replace("a", doc{"z", 3}, &gocb.ReplaceOptions{Cas: made.Cas()})
	check(errors.Is(err, gocb.ErrCasMismatch), "old cas", err)
	_, err = c.MutateIn("a", []gocb.MutateInSpec{
		gocb.UpsertSpec("list", []int{1}, nil), gocb.IncrementSpec("n", 5, nil)}, nil)
	check(err == nil, "mutateIn", err)
	in, err := c.LookupIn("a", []gocb.LookupInSpec{
		gocb.GetSpec("n", nil), gocb.ExistsSpec("none", nil), gocb.CountSpec("list", nil)}, nil)
	check(err == nil, "lookupIn", err)
	var n, count int
	err = in.ContentAt(0, &n)
	check(err == nil && n == 7 && !in.Exists(1), "path", err)
	err = in.ContentAt(2, &count)
	check(err == nil && count == 1, "count", err)
	counter, err := c.Binary().Increment("c", &gocb.IncrementOptions{Initial: 5, Delta: 2})
	check(err == nil && counter.Content() == 5, "increment", err)
	counter, err = c.Binary().Decrement("c", &gocb.DecrementOptions{Delta: 2})
	check(err == nil && counter.Content() == 3, "decrement", err)
	locked, err := c.GetAndLock("a", 10*time.Second, nil)
	check(err == nil, "lock", err)
	err = c.Unlock("a", locked.Cas(), nil)
	check(err == nil, "unlock", err)
	_, err = c.Touch("a", time.Minute, nil)
	check(err == nil, "touch", err)
	there, err := c.Exists("a", nil)
	check(err == nil && there.Exists(), "exists", err)
	ops := []gocb.BulkOp{}
	for i := 0; i < 100; i++ {
		ops = append(ops, &gocb.UpsertOp{ID: fmt.Sprint("k", i), Value: doc{"k", i}})
	}
	err = c.Do(ops, nil)
	check(err == nil, "bulk", err)
	for _, op := range ops {
		check(op.(*gocb.UpsertOp).Err == nil, "bulk operation", op.(*gocb.UpsertOp).Err)
	}
	_, err = c.Remove("a", nil)
	check(err == nil, "remove", err)
	_, err = c.Get("a", nil)
	check(errors.Is(err, gocb.ErrDocumentNotFound), "gone", err)
	check(cluster.Close(nil) == nil, "close", nil)
	fmt.Println("passed")
}
