import { installJava, installRedis } from './installed.ts';

/** Installs the three servers of the service tests, so that no run has to. */
await Promise.all([installJava('kafka'), installJava('mongo'), installRedis()]);
