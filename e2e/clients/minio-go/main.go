// Command minio-go spends one user's day with minio-go. SSL_CERT_FILE carries the CA over https.
package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"log"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const (
	partBytes      = 8 << 20
	atOnceMax      = 8
	rangeBytes     = 100
	presignedFor   = time.Minute
	missingETag    = "00000000000000000000000000000000"
	folderInBucket = "tree/"
)

var oddKeys = []string{
	"a//b", "a/../b", "/leading", "%2F", "plus+sign", "é/ü", "with space", "two + of  each", "*'()!~", "folder/", "\ufffd", "\U0001f600",
	strings.Repeat("x", 1024),
}

// day is one client with its bucket and the bytes that each key should have.
type day struct {
	s3      *minio.Client
	bucket  string
	objects map[string][]byte
}

func main() {
	log.SetFlags(log.Lshortfile)
	fmt.Println("version: minio-go", version())
	input, work := os.Getenv("INPUT"), os.Getenv("WORK")
	d := day{connect(), os.Getenv("BUCKET"), tree(filepath.Join(input, "tree"))}
	for _, key := range oddKeys {
		d.objects[key] = []byte("bytes of " + key)
	}
	d.makeBucket()
	d.putSmall()
	d.putLarge(filepath.Join(input, "large"), filepath.Join(work, "large"))
	d.list()
	d.copy()
	d.writeUnderConditions()
	d.readAll()
	d.readPresigned()
	d.remove()
}

func version() string {
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "github.com/minio/minio-go/v7" {
			return module.Version
		}
	}
	return "of an unknown version"
}

func connect() *minio.Client {
	endpoint := must(url.Parse(os.Getenv("ENDPOINT")))
	return must(minio.New(endpoint.Host, &minio.Options{
		Creds:           credentials.NewEnvAWS(),
		Secure:          endpoint.Scheme == "https",
		TrailingHeaders: true,
		MaxRetries:      1,
	}))
}

// tree returns the files of a folder by their keys.
func tree(root string) map[string][]byte {
	files := map[string][]byte{}
	check(filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[folderInBucket+filepath.ToSlash(must(filepath.Rel(root, path)))] = must(os.ReadFile(path))
		}
		return err
	}))
	return files
}

func (d *day) makeBucket() {
	check(d.s3.MakeBucket(context.Background(), d.bucket, minio.MakeBucketOptions{}))
	demand(must(d.s3.BucketExists(context.Background(), d.bucket)), "the bucket exists")
}

// putSmall sends a Content-MD5 with one half of the objects, and a trailing CRC32C with the other.
func (d *day) putSmall() {
	each(slices.Collect(maps.Keys(d.objects)), func(key string) {
		options := minio.PutObjectOptions{SendContentMd5: true}
		if len(key)%2 == 1 {
			options = minio.PutObjectOptions{Checksum: minio.ChecksumCRC32C}
		}
		demand(d.put(key, d.objects[key], options).ETag == md5Of(d.objects[key]), "ETag of", key)
	})
}

// putLarge uploads a file in parts with each trailing checksum, and reads it whole and in part.
func (d *day) putLarge(path, back string) {
	large := must(os.ReadFile(path))
	checksums := []minio.ChecksumType{
		minio.ChecksumCRC32C, minio.ChecksumCRC32, minio.ChecksumSHA1, minio.ChecksumSHA256, minio.ChecksumCRC64NVME,
		minio.ChecksumFullObjectCRC32C, minio.ChecksumFullObjectCRC32,
	}
	for _, checksum := range checksums {
		options := minio.PutObjectOptions{PartSize: partBytes, Checksum: checksum, NumThreads: 4}
		must(d.s3.FPutObject(context.Background(), d.bucket, "large", path, options))
		told := must(d.s3.StatObject(context.Background(), d.bucket, "large", minio.StatObjectOptions{Checksum: true}))
		demand(told.Size == int64(len(large)) && strings.Contains(told.ETag, "-"), "size and ETag of large", checksum)
		demand(told.ChecksumCRC32C+told.ChecksumCRC32+told.ChecksumSHA1+told.ChecksumSHA256+told.ChecksumCRC64NVME != "",
			"checksum of large", checksum)
	}
	d.objects["large"] = large

	// A stream has no known length and cannot be read twice.
	streamed := must(d.s3.PutObject(context.Background(), d.bucket, "streamed", io.MultiReader(bytes.NewReader(large)), -1,
		minio.PutObjectOptions{PartSize: partBytes}))
	demand(streamed.Size == int64(len(large)), "size of a stream")
	d.objects["streamed"] = large

	check(d.s3.FGetObject(context.Background(), d.bucket, "large", back, minio.GetObjectOptions{}))
	demand(bytes.Equal(must(os.ReadFile(back)), large), "bytes of large")
	middle := len(large)/2 + 7
	options := minio.GetObjectOptions{}
	check(options.SetRange(int64(middle), int64(middle+rangeBytes-1)))
	demand(bytes.Equal(d.read("large", options), large[middle:middle+rangeBytes]), "range of large")
}

// list compares listings of all keys and of folders, in pages, with the expected keys.
func (d *day) list() {
	want := slices.Sorted(maps.Keys(d.objects))
	for _, options := range []minio.ListObjectsOptions{
		{Recursive: true}, {Recursive: true, MaxKeys: 37}, {Recursive: true, UseV1: true, MaxKeys: 300},
	} {
		demand(slices.Equal(d.keys(options), want), "keys under", options)
	}
	for _, prefix := range []string{"", folderInBucket, folderInBucket + "odd/", folderInBucket + "plain-3/", "a/"} {
		for _, first := range []bool{false, true} {
			options := minio.ListObjectsOptions{Prefix: prefix, UseV1: first, MaxKeys: 3}
			demand(slices.Equal(slices.Sorted(slices.Values(d.keys(options))), d.groups(prefix)), "keys and groups under", prefix)
		}
	}
}

func (d *day) keys(options minio.ListObjectsOptions) []string {
	var keys []string
	for object := range d.s3.ListObjects(context.Background(), d.bucket, options) {
		check(object.Err)
		keys = append(keys, object.Key)
	}
	return keys
}

// groups returns the sorted keys and common prefixes that a listing with the delimiter "/" should have.
func (d *day) groups(prefix string) []string {
	groups := map[string]bool{}
	for key := range d.objects {
		if rest, below := strings.CutPrefix(key, prefix); below {
			first, _, deeper := strings.Cut(rest, "/")
			if deeper {
				first += "/"
			}
			groups[prefix+first] = true
		}
	}
	return slices.Sorted(maps.Keys(groups))
}

func (d *day) copy() {
	for _, key := range []string{"plus+sign", "with space", "two + of  each", "é/ü", "%2F", folderInBucket + "odd/%2Fé%20+"} {
		d.copyOne(key, "copy + of "+key)
	}
	d.copyOne("large", "copy of large")
	source := minio.CopySrcOptions{Bucket: d.bucket, Object: "large"}
	composed := minio.CopyDestOptions{Bucket: d.bucket, Object: "twice large"}
	must(d.s3.ComposeObject(context.Background(), composed, source, source))
	d.objects[composed.Object] = slices.Concat(d.objects["large"], d.objects["large"])
}

func (d *day) copyOne(from, to string) {
	source := minio.CopySrcOptions{Bucket: d.bucket, Object: from}
	must(d.s3.CopyObject(context.Background(), minio.CopyDestOptions{Bucket: d.bucket, Object: to}, source))
	d.objects[to] = d.objects[from]
}

func (d *day) writeUnderConditions() {
	key, first, second := "under a condition", []byte("first"), []byte("second")
	var absent, other, same minio.PutObjectOptions
	absent.SetMatchETagExcept("*")
	other.SetMatchETag(missingETag)
	d.put(key, first, absent)
	d.refused(key, second, absent)
	d.refused(key, second, other)
	demand(bytes.Equal(d.read(key, minio.GetObjectOptions{}), first), "what was there stays")
	same.SetMatchETag(md5Of(first))
	d.put(key, second, same)
	d.refused(key, first, same)
	d.objects[key] = second
}

func (d *day) refused(key string, content []byte, options minio.PutObjectOptions) {
	_, err := d.s3.PutObject(context.Background(), d.bucket, key, bytes.NewReader(content), int64(len(content)), options)
	demand(minio.ToErrorResponse(err).Code == minio.PreconditionFailed, "refusal of a write under a condition:", err)
}

func (d *day) readAll() {
	each(slices.Collect(maps.Keys(d.objects)), func(key string) {
		demand(bytes.Equal(d.read(key, minio.GetObjectOptions{}), d.objects[key]), "bytes of", key)
	})
}

func (d *day) readPresigned() {
	for _, key := range []string{"with space", "plus+sign", "%2F", "copy + of é/ü"} {
		presigned := must(d.s3.PresignedGetObject(context.Background(), d.bucket, key, presignedFor, nil))
		answer := must(http.Get(presigned.String()))
		content := must(io.ReadAll(answer.Body))
		check(answer.Body.Close())
		demand(answer.StatusCode == http.StatusOK && bytes.Equal(content, d.objects[key]), "presigned", key, answer.Status)
	}
}

func (d *day) remove() {
	check(d.s3.RemoveObject(context.Background(), d.bucket, "never-there", minio.RemoveObjectOptions{}))
	check(d.s3.RemoveObject(context.Background(), d.bucket, "plus+sign", minio.RemoveObjectOptions{}))
	delete(d.objects, "plus+sign")
	err := d.s3.RemoveBucket(context.Background(), d.bucket)
	demand(minio.ToErrorResponse(err).Code == "BucketNotEmpty", "refusal to remove a bucket with objects:", err)
	doomed := make(chan minio.ObjectInfo)
	go func() {
		defer close(doomed)
		for key := range d.objects {
			doomed <- minio.ObjectInfo{Key: key}
		}
	}()
	for failure := range d.s3.RemoveObjects(context.Background(), d.bucket, doomed, minio.RemoveObjectsOptions{}) {
		check(failure.Err)
	}
	demand(len(d.keys(minio.ListObjectsOptions{Recursive: true})) == 0, "no key is left")
	check(d.s3.RemoveBucket(context.Background(), d.bucket))
	demand(!must(d.s3.BucketExists(context.Background(), d.bucket)), "the bucket is gone")
}

func (d *day) put(key string, content []byte, options minio.PutObjectOptions) minio.UploadInfo {
	return must(d.s3.PutObject(context.Background(), d.bucket, key, bytes.NewReader(content), int64(len(content)), options))
}

func (d *day) read(key string, options minio.GetObjectOptions) []byte {
	object := must(d.s3.GetObject(context.Background(), d.bucket, key, options))
	defer object.Close()
	return must(io.ReadAll(object))
}

func md5Of(content []byte) string {
	sum := md5.Sum(content)
	return hex.EncodeToString(sum[:])
}

// each calls the action for every key, atOnceMax at once.
func each(keys []string, action func(string)) {
	rest := make(chan string)
	var workers sync.WaitGroup
	for range atOnceMax {
		workers.Go(func() {
			for key := range rest {
				action(key)
			}
		})
	}
	for _, key := range keys {
		rest <- key
	}
	close(rest)
	workers.Wait()
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
	return value
}

func check(err error) {
	if err != nil {
		log.Output(2, err.Error())
		os.Exit(1)
	}
}

func demand(holds bool, what ...any) {
	if !holds {
		log.Output(2, "not so: "+fmt.Sprintln(what...))
		os.Exit(1)
	}
}
