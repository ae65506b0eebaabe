/** Code of the image server that the site `lantern` documents. */
export const LANTERN: Readonly<Record<string, string>> = {
  'README.md': '# lantern-server\n\nRun `make` to build and `make test` to test.\n',
  'internal/config/backup.go': `package config

import "time"

// Backup describes where backups are written and how long they are kept.
type Backup struct {
	Keep     int    \`yaml:"keep" default:"14"\`
	Target   string \`yaml:"target"\`
	Compress string \`yaml:"compress" default:"zstd" oneof:"zstd gzip none"\`
}

// Expired reports whether a backup may be removed at the given time.
func (b Backup) Expired(made, now time.Time) bool {
	limit := made.AddDate(0, 0, b.Keep)
	return now.After(limit) && b.Target != ""
}
`,
  'internal/limits/limits.go': `package limits

const (
	OriginalMegabytes  = 200
	OriginalMegapixels = 100
	CommunityPeople    = 500
	RequestsPerSecond  = 50
)

// Allows reports whether an original of this size is accepted.
func Allows(bytes, pixels int64) bool {
	tooLarge := bytes > OriginalMegabytes*1_000_000
	tooMany := pixels > OriginalMegapixels*1_000_000
	return !tooLarge && !tooMany
}
`,
  'internal/sizes/cache.go': `package sizes

// Cache keeps the sizes that were made on demand.
type Cache struct {
	entries map[string][]byte
	order   []string
}

func (c *Cache) Forget(name string) {
	delete(c.entries, name)
	for at, known := range c.order {
		if known == name {
			c.order = append(c.order[:at], c.order[at+1:]...)
			return
		}
	}
}
`,
}

/** Configuration of the proxy in front of the server. */
export const GATEWAY: Readonly<Record<string, string>> = {
  'nginx/lantern.conf': `limit_req_zone $binary_remote_addr zone=lantern:10m rate=100r/s;

server {
    listen 443 ssl;
    server_name lantern.example.org;
    client_max_body_size 200m;

    location / {
        limit_req zone=lantern burst=20 nodelay;
        limit_req_status 429;
        proxy_pass http://127.0.0.1:8200;
    }
}
`,
}
