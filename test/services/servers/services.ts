import { startKafka } from './kafka.ts';
import { startMongo } from './mongo.ts';
import { startRedis } from './redis.ts';

/** The servers of the distributed stores, each with the setting that names it. */
export const services = {
  kafka: { setting: 'KAFKA_BROKERS', start: startKafka },
  mongo: { setting: 'MONGODB_URL', start: startMongo },
  redis: { setting: 'REDIS_URL', start: startRedis },
};
