import { Presets, SingleBar } from 'cli-progress';
import type { RebuildProgress } from './rebuild.ts';

const LINE_EVERY_MS = 5000;

export interface ShownProgress {
  update(progress: RebuildProgress): void;
  end(): void;
}

/** Shows how far a rebuild is: a bar on a terminal, else a line every few seconds unless it is to be `silent`. */
export function showRebuild(silent: boolean): ShownProgress {
  if (process.stderr.isTTY) return bar();
  return silent ? { update: () => undefined, end: () => undefined } : lines();
}

function bar(): ShownProgress {
  const shown = new SingleBar(
    {
      stream: process.stderr,
      format: '{generation} {step} [{bar}] {value}/{total} records, {rate}/s, {left}',
      hideCursor: true,
    },
    Presets.shades_grey,
  );
  let step = '';
  return {
    update: (progress) => {
      const { generation, done, total } = progress;
      const payload = { generation, step: progress.step, ...paceOf(progress) };
      if (step !== progress.step) {
        if (step) shown.stop();
        shown.start(total, done, payload);
      } else shown.update(done, payload);
      step = progress.step;
    },
    end: () => shown.stop(),
  };
}

function lines(): ShownProgress {
  let last = Number.NEGATIVE_INFINITY;
  return {
    update: (progress) => {
      const { generation, step, done, total } = progress;
      if (done < total && performance.now() - last < LINE_EVERY_MS) return;
      last = performance.now();
      const { rate, left } = paceOf(progress);
      process.stderr.write(`${generation} ${step}: ${done}/${total} records, ${rate}/s, ${left}\n`);
    },
    end: () => undefined,
  };
}

function paceOf({ done, total, own, seconds }: RebuildProgress): { rate: number; left: string } {
  const rate = seconds > 0 ? own / seconds : 0;
  if (done === total) return { rate: Math.round(rate), left: 'done' };
  return {
    rate: Math.round(rate),
    left: rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : 'starting',
  };
}
