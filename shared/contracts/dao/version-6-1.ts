import type { ContractVersion } from '../contract-version.ts';
import type { DaoEvent } from './event.ts';
import { dao60 } from './version-6-0.ts';

/** DAO 6.1: its storage and messages are those of 6.0; `start_crowdfunding` is executed. */
export const dao61: ContractVersion<DaoEvent> = { ...dao60, version: '6.1' };
