import type { Row } from './row.ts';
import { distributedBlockToAnswer } from './rows/block-to-answer.ts';
import { distributedFolding } from './rows/distributed-folding.ts';
import { distributedRebuild } from './rows/distributed-rebuild.ts';
import { kafkaAppend } from './rows/kafka-append.ts';
import { kafkaFollow } from './rows/kafka-follow.ts';
import { mongoCommit } from './rows/mongo-commit.ts';
import { mongoPage } from './rows/mongo-page.ts';
import { mongoPageLast } from './rows/mongo-page-last.ts';
import { redisCheck } from './rows/redis-check.ts';

/**
 * The rows of `--services`: the adapters of Kafka, MongoDB and Redis, each beside the bare driver that
 * does the same reads and writes. By the clock, since most of the work is the servers'.
 */
export const serviceRows: readonly Row[] = [
  kafkaAppend,
  kafkaFollow,
  distributedFolding,
  distributedRebuild,
  mongoCommit,
  mongoPage,
  mongoPageLast,
  redisCheck,
  distributedBlockToAnswer,
];
