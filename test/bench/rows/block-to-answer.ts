import { serverUrl } from '../servers.ts';
import { livelyDeployment, visibilityRow } from '../visibility.ts';

export const blockToAnswer = visibilityRow('block-to-answer', 'embedded, one process', 1, async () => {
  const deployment = await livelyDeployment({});
  const { url } = await deployment.serve('start');
  return { deployment, url };
});

export const distributedBlockToAnswer = visibilityRow(
  'distributed-block-to-answer',
  'Kafka, MongoDB and Redis, a process each role',
  3,
  async () => {
    const [KAFKA_BROKERS, MONGODB_URL, REDIS_URL] = [
      await serverUrl('kafka'),
      await serverUrl('mongo'),
      await serverUrl('redis'),
    ];
    const deployment = await livelyDeployment({ KAFKA_BROKERS, MONGODB_URL, REDIS_URL });
    deployment.start('index');
    deployment.start('project');
    const { url } = await deployment.serve();
    return { deployment, url };
  },
);
