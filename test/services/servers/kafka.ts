import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { installJava, jarVersion } from './installed.ts';
import { dataFolder, freePort, type Server, startServer } from './server.ts';

const run = promisify(execFile);
const log4j = fileURLToPath(new URL('../java/kafka/log4j2.properties', import.meta.url));
const clusterId = 'dG9uLWRhby1pbmRleGVyLQ';
const javaOptions = ['-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'];

/** Starts one Kafka that is broker and controller, without topics; they are not created by their use. */
export async function startKafka(): Promise<Server> {
  const jars = await installJava('kafka');
  const [folder, port, controllerPort, version] = await Promise.all([
    dataFolder('kafka'),
    freePort(),
    freePort(),
    jarVersion(jars, 'kafka-clients'),
  ]);
  const url = `127.0.0.1:${port}`;
  const properties = join(folder, 'server.properties');
  await writeFile(properties, serverProperties(url, `127.0.0.1:${controllerPort}`, join(folder, 'data')));
  const java = [...javaOptions, '-cp', `${jars}/*`];
  const format = `format -t ${clusterId} --standalone -c`.split(' ');
  await run('java', [...java, 'kafka.tools.StorageTool', ...format, properties]);
  return startServer({
    name: `Kafka ${version}`,
    url,
    folder,
    command: ['java', `-Dlog4j2.configurationFile=${log4j}`, ...java, 'kafka.Kafka', properties],
    answers: async () => {
      const client = new Kafka({ brokers: [url], logLevel: logLevel.NOTHING, retry: { retries: 0 } });
      const admin = client.admin();
      try {
        await admin.connect();
        const { topics } = await admin.fetchTopicMetadata();
        const leaderless = topics.flatMap(({ partitions }) => partitions).filter(({ leader }) => leader < 0);
        if (leaderless.length > 0) throw new Error(`${leaderless.length} partitions have no leader`);
      } finally {
        await admin.disconnect();
      }
    },
  });
}

function serverProperties(broker: string, controller: string, data: string): string {
  const listeners = `PLAINTEXT://${broker},CONTROLLER://${controller}`;
  const properties = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.bootstrap.servers': controller,
    listeners,
    'advertised.listeners': listeners,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    // One broker: its internal topics cannot have three replicas, and need not have fifty partitions.
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    // A broker that was killed registers again only when its former session is over.
    'broker.session.timeout.ms': 2000,
    'broker.heartbeat.interval.ms': 250,
    'group.initial.rebalance.delay.ms': 0,
  };
  return Object.entries(properties)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}
