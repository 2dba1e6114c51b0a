/** Unix seconds as the API shows them: ISO 8601, UTC, whole seconds. */
export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
