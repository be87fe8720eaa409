/** Sets `key` as the newest entry of `map`, and removes the oldest entries above `max`. */
export function setBounded<K, V>(map: Map<K, V>, key: K, value: V, max: number): void {
  // Setting an existing key would keep its old position.
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
}
