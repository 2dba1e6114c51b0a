import { open, rename } from 'node:fs/promises';

/** Writes a file for the owner alone (mode 0600): readers see the old contents or the new, never a part. */
export async function writeFileAtomically(path: string, contents: string): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(contents);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
