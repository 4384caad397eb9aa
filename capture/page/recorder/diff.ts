// From one list of rules to another in the fewest steps that a prefix and a suffix allow.

export interface Splice {
  /** Indexes to delete, highest first. */
  removes: number[];
  /** Rules to insert afterwards, lowest index first. */
  adds: {rule: string; index: number}[];
}

export function splice(before: readonly string[], after: readonly string[]): Splice {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) ++head;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) ++tail;
  const removes: number[] = [];
  for (let i = before.length - tail - 1; i >= head; --i) removes.push(i);
  const adds: {rule: string; index: number}[] = [];
  for (let i = head; i < after.length - tail; ++i) adds.push({rule: after[i]!, index: i});
  return {removes, adds};
}
