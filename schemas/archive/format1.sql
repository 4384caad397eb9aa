-- browx archive, format 1. docs/format.md says what every table, column and view means.
-- Rows are inserted once and never changed; the first column orders them, and `commits` chains a digest over them.
-- Times are microseconds since the session began.

CREATE TABLE manifest(n INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT NOT NULL);

CREATE TABLE target(n INTEGER PRIMARY KEY, id INTEGER NOT NULL, kind TEXT NOT NULL, parent INTEGER, opener INTEGER,
  session TEXT, cdp_id TEXT, url TEXT, t INTEGER NOT NULL);
CREATE TABLE target_end(n INTEGER PRIMARY KEY, target INTEGER NOT NULL, t INTEGER NOT NULL, reason TEXT);

CREATE TABLE document(n INTEGER PRIMARY KEY, id INTEGER NOT NULL, target INTEGER NOT NULL, frame TEXT, parent INTEGER,
  url TEXT, t INTEGER NOT NULL, clock_offset_us INTEGER NOT NULL, recorder TEXT);
CREATE TABLE document_owner(n INTEGER PRIMARY KEY, document INTEGER NOT NULL, parent INTEGER NOT NULL,
  node INTEGER NOT NULL, t INTEGER NOT NULL);
CREATE TABLE document_end(n INTEGER PRIMARY KEY, document INTEGER NOT NULL, t INTEGER NOT NULL, reason TEXT);

CREATE TABLE gap(n INTEGER PRIMARY KEY, document INTEGER, target INTEGER, node INTEGER, t_from INTEGER NOT NULL,
  t_to INTEGER, reason TEXT NOT NULL, detail TEXT);

CREATE TABLE event(seq INTEGER PRIMARY KEY, t INTEGER NOT NULL, target INTEGER, kind TEXT NOT NULL, payload TEXT NOT NULL);
CREATE INDEX event_annotation ON event(seq) WHERE kind = 'annotation';

CREATE TABLE request(n INTEGER PRIMARY KEY, id INTEGER NOT NULL, t INTEGER NOT NULL, target INTEGER, document INTEGER,
  redirected_from INTEGER, cdp_id TEXT, method TEXT, url TEXT, resource_type TEXT, initiator TEXT, headers,
  body BLOB);
CREATE TABLE response(n INTEGER PRIMARY KEY, request INTEGER NOT NULL, t INTEGER NOT NULL, status INTEGER,
  status_text TEXT, mime TEXT, protocol TEXT, remote TEXT, from_cache INTEGER, from_service_worker INTEGER, headers, request_headers,
  timing TEXT);
CREATE INDEX response_request ON response(request);
CREATE TABLE request_end(n INTEGER PRIMARY KEY, request INTEGER NOT NULL, t INTEGER NOT NULL, ok INTEGER NOT NULL,
  error TEXT, encoded_bytes INTEGER, body BLOB, body_missing TEXT);
CREATE INDEX request_end_request ON request_end(request);
CREATE TABLE ws_frame(n INTEGER PRIMARY KEY, request INTEGER NOT NULL, t INTEGER NOT NULL, sent INTEGER NOT NULL,
  kind TEXT NOT NULL, opcode INTEGER, event TEXT, full_size INTEGER, truncated INTEGER, payload, blob BLOB);

CREATE TABLE blob(n INTEGER PRIMARY KEY, sha256 BLOB NOT NULL, size INTEGER NOT NULL, codec TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX blob_sha256 ON blob(sha256);
CREATE TABLE asset(n INTEGER PRIMARY KEY, document INTEGER NOT NULL, url TEXT NOT NULL, t INTEGER NOT NULL, mime TEXT,
  sha256 BLOB, why_missing TEXT);

CREATE TABLE dom_chunk(n INTEGER PRIMARY KEY, document INTEGER NOT NULL, t_first INTEGER NOT NULL, t_last INTEGER NOT NULL,
  events INTEGER NOT NULL, keyframe INTEGER NOT NULL, base INTEGER, codec TEXT NOT NULL, raw_size INTEGER NOT NULL,
  data BLOB NOT NULL);

CREATE TABLE frame(n INTEGER PRIMARY KEY, t INTEGER NOT NULL, target INTEGER NOT NULL, mime TEXT, width INTEGER,
  height INTEGER, source TEXT, blob BLOB NOT NULL);

CREATE VIRTUAL TABLE text_index USING fts5(text, content='');

CREATE TABLE artifact(n INTEGER PRIMARY KEY, name TEXT NOT NULL, mime TEXT, sha256 BLOB NOT NULL);

CREATE TABLE commits(n INTEGER PRIMARY KEY, t INTEGER NOT NULL, wall_ms INTEGER NOT NULL, upto TEXT NOT NULL, digest BLOB NOT NULL);

CREATE VIEW steps AS
  SELECT e.seq, e.t / 1000.0 AS t_ms, json_extract(e.payload, '$.duration_us') / 1000.0 AS duration_ms, e.kind,
    json_extract(e.payload, '$.id') AS id, json_extract(e.payload, '$.tool') AS tool, e.target,
    json_extract(e.payload, '$.target') AS addressed, json_extract(e.payload, '$.ok') AS ok,
    json_extract(e.payload, '$.error') AS error,
    (SELECT json_extract(a.payload, '$.label') FROM event a
      WHERE a.kind = 'annotation' AND a.seq < e.seq AND json_extract(a.payload, '$.phase') = 'start'
        AND NOT EXISTS (SELECT 1 FROM event z WHERE z.kind = 'annotation' AND z.seq > a.seq AND z.seq < e.seq
          AND json_extract(z.payload, '$.phase') = 'end'
          AND json_extract(z.payload, '$.label') = json_extract(a.payload, '$.label'))
      ORDER BY a.seq DESC LIMIT 1) AS span
  FROM event e WHERE e.kind IN ('action', 'read', 'assert') ORDER BY e.seq;

CREATE VIEW requests AS
  SELECT r.id, r.t / 1000.0 AS t_ms, r.method, r.url, r.resource_type, s.status, s.mime, z.ok, z.error,
    (z.t - r.t) / 1000.0 AS duration_ms, z.encoded_bytes, r.target, r.document, r.redirected_from
  FROM request r LEFT JOIN response s ON s.request = r.id LEFT JOIN request_end z ON z.request = r.id
  GROUP BY r.n ORDER BY r.t, r.n;

CREATE VIEW failures AS
  SELECT t / 1000.0 AS t_ms, kind, coalesce(json_extract(payload, '$.tool'), json_extract(payload, '$.level')) AS what,
    coalesce(json_extract(payload, '$.error'), json_extract(payload, '$.text')) AS error
  FROM event
  WHERE (kind IN ('action', 'read', 'assert') AND json_extract(payload, '$.ok') = 0) OR kind = 'exception'
    OR (kind = 'console' AND json_extract(payload, '$.level') = 'error')
  UNION ALL
  SELECT z.t / 1000.0, 'request', r.method || ' ' || r.url, z.error
  FROM request_end z JOIN request r ON r.id = z.request WHERE z.ok = 0
  UNION ALL
  SELECT s.t / 1000.0, 'response', r.method || ' ' || r.url, s.status || ' ' || coalesce(s.status_text, '')
  FROM response s JOIN request r ON r.id = s.request WHERE s.status >= 400
  ORDER BY 1;

CREATE VIEW pages AS
  SELECT d.id AS document, d.target, d.url, d.t / 1000.0 AS from_ms,
    (SELECT json_extract(e.payload, '$.title') FROM event e
      WHERE e.kind = 'lifecycle' AND json_extract(e.payload, '$.title') IS NOT NULL AND e.target = d.target AND e.t >= d.t
        AND e.t < coalesce((SELECT min(l.t) FROM document l WHERE l.target = d.target AND l.parent IS NULL AND l.n > d.n), 9e18)
      ORDER BY e.seq DESC LIMIT 1) AS title
  FROM document d LEFT JOIN target g ON g.id = d.target
  WHERE d.parent IS NULL AND coalesce(g.kind, 'tab') = 'tab' GROUP BY d.n ORDER BY d.t, d.n;

CREATE VIEW timeline AS
  SELECT t / 1000.0 AS t_ms, 'target' AS kind, target.kind || ' ' || coalesce(url, '') AS what FROM target
  UNION ALL SELECT t / 1000.0, 'target-end', reason FROM target_end
  UNION ALL SELECT t / 1000.0, 'document', url FROM document
  UNION ALL SELECT t / 1000.0, kind, coalesce(json_extract(payload, '$.tool'), json_extract(payload, '$.name'),
      json_extract(payload, '$.label'), json_extract(payload, '$.text'), json_extract(payload, '$.message')) FROM event
  UNION ALL SELECT t / 1000.0, 'request', method || ' ' || url FROM request
  UNION ALL SELECT t_from / 1000.0, 'gap', reason FROM gap
  ORDER BY 1;
