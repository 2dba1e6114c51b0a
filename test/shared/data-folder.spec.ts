import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDataFolder } from '../../shared/data-folder.ts';
import { FatalError } from '../../shared/errors.ts';
import { rejection } from '../conformance/subject.ts';

describe('The data folder', () => {
  let parent: string;
  let dir: string;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'data-folder-'));
    dir = join(parent, 'deep', 'data');
  });

  afterEach(() => rm(parent, { recursive: true }));

  it('is made for its owner alone, with the format and nothing else in it', async () => {
    await openDataFolder(dir);
    expect((await stat(dir)).mode & 0o777).to.equal(0o700);
    expect(await readdir(dir)).to.deep.equal(['format.json']);
    expect(JSON.parse(await readFile(join(dir, 'format.json'), 'utf8'))).to.deep.equal({ format: 2 });
  });

  it('may be opened again, and by many at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => openDataFolder(dir)));
    await mkdir(join(dir, 'log'));
    await openDataFolder(dir);
    expect((await readdir(dir)).sort()).to.deep.equal(['format.json', 'log']);
  });

  it('may be a folder that was there, as a mounted volume is', async () => {
    await mkdir(join(dir, 'lost+found'), { recursive: true, mode: 0o755 });
    await openDataFolder(dir);
    expect((await stat(dir)).mode & 0o777).to.equal(0o700);
  });

  it('is refused in a format that is newer or that nobody knows', async () => {
    await mkdir(dir, { recursive: true });
    for (const text of [
      '{"format":3}',
      '{"format":1}',
      '{"format":0}',
      '{"format":"1"}',
      '{}',
      'null',
      '',
      '{"form',
    ]) {
      await writeFile(join(dir, 'format.json'), text);
      const error = await rejection(openDataFolder(dir));
      expect(error).to.be.instanceOf(FatalError).with.property('code', 'DATA_FORMAT_UNKNOWN');
      expect(error).to.have.property('message').that.includes(dir).and.includes('DATA_DIR');
      expect(await readFile(join(dir, 'format.json'), 'utf8')).to.equal(text);
    }
  });

  it('is refused where it holds stores but no format', async () => {
    await mkdir(join(dir, 'read'), { recursive: true });
    expect(await rejection(openDataFolder(dir))).to.have.property('code', 'DATA_FORMAT_UNKNOWN');
    expect(await readdir(dir)).to.deep.equal(['read']);
  });
});
