import { serverUrl } from '../servers.ts';
import { visibilityRow } from '../visibility.ts';

export const blockToAnswer = visibilityRow({
  name: 'block-to-answer',
  ours: 'embedded, one process',
  goalSeconds: 1,
  servers: async () => ({}),
  begin: (deployment) => deployment.serve('start'),
});

export const distributedBlockToAnswer = visibilityRow({
  name: 'distributed-block-to-answer',
  ours: 'Kafka, MongoDB and Redis, a process each role',
  goalSeconds: 3,
  servers: async () => ({
    KAFKA_BROKERS: await serverUrl('kafka'),
    MONGODB_URL: await serverUrl('mongo'),
    REDIS_URL: await serverUrl('redis'),
  }),
  begin: (deployment) => {
    deployment.start('index');
    deployment.start('project');
    return deployment.serve();
  },
});
