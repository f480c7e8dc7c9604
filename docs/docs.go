// Package docs holds the pages of the documentation, so that "clopt help TOPIC"
// prints the text that a reader finds in this folder.
package docs

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed *.md gallery/*.md reference/*.md results/*.md
var pages embed.FS

// texts holds the Markdown of each page by its topic.
var texts = func() map[string]string {
	m := map[string]string{}
	err := fs.WalkDir(pages, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := pages.ReadFile(file)
		if _, twice := m[topicOf(file)]; twice {
			panic("docs: two pages on " + topicOf(file))
		}
		m[topicOf(file)] = string(text)
		return err
	})
	if err != nil {
		panic("docs: " + err.Error())
	}
	return m
}()

// topicOf returns the topic of a page: the name of its file without ".md", and
// without "-file" for pages such as objective-file.md. The topic of the first
// page of a folder, such as gallery/index.md, is the name of the folder.
func topicOf(file string) string {
	if folder, name := path.Split(file); name == "index.md" && folder != "" && folder != "../" {
		return path.Base(folder)
	}
	return strings.TrimSuffix(strings.TrimSuffix(path.Base(file), ".md"), "-file")
}

// Topics returns the topics of all pages in alphabetical order.
func Topics() []string { return slices.Sorted(maps.Keys(texts)) }

// Find returns the Markdown of the page on a topic, or on the only one that begins with so much of its name. It returns
// false if there is none, or if there are several.
func Find(topic string) (markdown string, ok bool) {
	if markdown, ok = Page(topic); ok {
		return markdown, true
	}
	var found []string
	for _, t := range Topics() {
		if topic != "" && strings.HasPrefix(t, topic) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return "", false
	}
	return Page(found[0])
}

// Page returns the Markdown of the page on a topic, which may also be the name of its file. It returns false if there
// is none.
func Page(topic string) (markdown string, ok bool) {
	markdown, ok = texts[topicOf(topic)]
	return markdown, ok
}
