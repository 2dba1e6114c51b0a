import { FatalError, IndexerError, RetryableError } from '../errors.ts';

/** Kafka's own error codes by name, as kafkajs hangs them on its errors. */
const FENCED = new Set([
  'INVALID_PRODUCER_EPOCH',
  'PRODUCER_FENCED',
  'INVALID_PRODUCER_ID_MAPPING',
  'TRANSACTION_COORDINATOR_FENCED',
]);
const REFUSED = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'INVALID_REPLICATION_FACTOR',
  'POLICY_VIOLATION',
]);

/** A younger producer has the transactional id, or the coordinator gave up waiting for this one. */
export function isFenced(error: unknown): boolean {
  return causes(error).some(({ type }) => type !== undefined && FENCED.has(type));
}

/** Whatever the driver throws as an error of ours, by the reaction that it asks for. */
export function kafkaError(doing: string, error: unknown): IndexerError {
  if (error instanceof IndexerError) return error;
  const chain = causes(error);
  const message = chain.at(-1)?.message ?? String(error);
  const refused = chain.some(
    ({ type, name }) =>
      (type !== undefined && REFUSED.has(type)) || name === 'KafkaJSSASLAuthenticationError',
  );
  if (refused)
    return new FatalError(
      'KAFKA_REFUSED',
      `Kafka refused ${doing}: ${message}. Check the login, the access rights and KAFKA_REPLICATION.`,
      error,
    );
  return new RetryableError('KAFKA_UNAVAILABLE', `Kafka failed ${doing}: ${message}`, error);
}

interface DriverError extends Error {
  type?: string;
  errors?: unknown[];
}

/** The error and what it was caused by, outermost first. */
function causes(error: unknown): DriverError[] {
  const found: DriverError[] = [];
  const queue = [error];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (!(next instanceof Error) || found.includes(next)) continue;
    const driverError: DriverError = next;
    found.push(driverError);
    queue.push(driverError.cause, ...(driverError.errors ?? []));
  }
  return found;
}
