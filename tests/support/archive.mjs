// An archive read without browx: through the sqlite3 and zstd programs alone, so that tests do not believe the code they test.
import { execFileSync } from 'node:child_process';

const options = { maxBuffer: 1 << 30 };

/// Rows of a query as objects. Blobs are Buffers when selected as `hex(column) AS column_hex`.
export function query(file, sql) {
  const text = execFileSync('sqlite3', ['-readonly', '-json', file, sql], options).toString('utf8');
  return text.trim() ? JSON.parse(text) : [];
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
export const isZstd = bytes => bytes.subarray(0, 4).equals(zstdMagic);
export const unzstd = bytes => execFileSync('zstd', ['-d', '-q', '-c'], { ...options, input: bytes });

const quoted = name => `"${name.replaceAll('"', '""')}"`;

/// Every value of every table: [{table, column, bytes}], compressed ones decompressed.
export function everyValue(file) {
  const found = [];
  for (const { name: table } of query(file, "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")) {
    const columns = query(file, `SELECT name FROM pragma_table_info('${table.replaceAll("'", "''")}')`).map(c => c.name);
    for (const column of columns) {
      for (const { hex } of query(file, `SELECT hex(${quoted(column)}) AS hex FROM ${quoted(table)} WHERE ${quoted(column)} IS NOT NULL`)) {
        const stored = Buffer.from(hex, 'hex');
        found.push({ table, column, bytes: isZstd(stored) ? unzstd(stored) : stored });
      }
    }
  }
  return found;
}

/// The rrweb events of a document, in order: {t (µs), event}. A chunk's lines are the microseconds since the line before, a space, the event.
export function domEvents(file, document) {
  return query(file, `SELECT t_first, hex(data) AS hex FROM dom_chunk WHERE document = ${Number(document)} ORDER BY n`).flatMap(({ t_first, hex }) => {
    let t = t_first;
    const stored = Buffer.from(hex, 'hex');
    return (isZstd(stored) ? unzstd(stored) : stored).toString('utf8').split('\n').filter(Boolean).map(line => {
      const at = line.indexOf(' ');
      t += Number(line.slice(0, at));
      return { t, event: JSON.parse(line.slice(at + 1)) };
    });
  });
}
