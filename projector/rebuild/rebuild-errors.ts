import { FatalError } from '../../shared/errors.ts';

export function rebuildElsewhere(): FatalError {
  return new FatalError(
    'REBUILD_ELSEWHERE',
    'Another process builds the same generation: let it go on, or stop it and run `rebuild` again, which resumes',
  );
}

export function rebuildIncomplete(partition: number, records: number, end: number): FatalError {
  return new FatalError(
    'REBUILD_INCOMPLETE',
    `Of the ${end} records of partition ${partition} ${records} were folded: the files of the rebuild are damaged; ` +
      'give it up with `rebuild --cancel`, and begin it anew',
  );
}
