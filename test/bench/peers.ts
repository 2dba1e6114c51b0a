import type { Row } from './row.ts';
import { projectingEmmettConsumer, projectingEmmettInline } from './rows/projecting-emmett.ts';

/** The rows of `--peers`: beside libraries of the field, which are installed when they are asked for. */
export const peerRows: readonly Row[] = [projectingEmmettInline, projectingEmmettConsumer];
