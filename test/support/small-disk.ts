// A disk of a few megabytes, for tests of a full disk. Mounting needs root on Linux; elsewhere there is none.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SmallDisk {
  folder: string;
  resize(megabytes: number): void;
  /** Leaves less than two megabytes free. */
  fill(): void;
  remove(): void;
}

export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore', timeout: 10_000 });
  try {
    mount(`size=${megabytes}m`);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    resize: (size) => void mount(`remount,size=${size}m`),
    fill() {
      // A server that writes meanwhile can outgrow the size before it takes effect; then mounting fails.
      for (let tries = 1; ; tries++) {
        const { blocks, bfree, bsize } = statfsSync(folder);
        try {
          mount(`remount,size=${Math.ceil(((blocks - bfree) * bsize) / 1024 ** 2) + 1}m`);
          return;
        } catch (error) {
          if (tries === 5) throw error;
        }
      }
    },
    remove() {
      execFileSync('umount', ['-l', folder], { timeout: 10_000 });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
