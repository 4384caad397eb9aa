// What is computed about elements holds for one synchronous stretch of work; every entry into the bundle and every wait
// starts afresh.

const all: Map<unknown, unknown>[] = [];

export function cache<K, V>(): Map<K, V> {
  const map = new Map<K, V>();
  all.push(map as Map<unknown, unknown>);
  return map;
}

export function freshen(): void {
  for (const map of all) map.clear();
}
