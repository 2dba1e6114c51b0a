import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { parse } from 'yaml';
import { configKeys } from '../shared/config.ts';

interface Service {
  image: string;
  build?: string;
  command?: string[];
  environment?: Record<string, unknown>;
  volumes?: string[];
  ports?: string[];
  container_name?: string;
  restart?: string;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string; required?: boolean }>;
  profiles?: string[];
}

const text = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const compose = parse(text('docker-compose.yml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const service = (name: string): Service => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
};
const services = Object.entries(compose.services);
const roles = ['indexer', 'projector', 'api'];
const keys = new Set(configKeys.map(({ name }) => name));
const dockerfile = text('Dockerfile');

describe('docker-compose.yml', () => {
  it('is what the Compose Specification allows', () => {
    const schema = JSON.parse(text('test/fixtures/compose-spec.json')) as object;
    const ajv = new Ajv2020({ strict: false, formats: { duration: true, ports: true } });
    const validate = ajv.compile(schema);
    expect(validate(compose), ajv.errorsText(validate.errors)).to.equal(true);
    const wrong = {
      ...compose,
      services: { ...compose.services, api: { ...service('api'), comand: ['serve'] } },
    };
    expect(validate(wrong)).to.equal(false);
  });

  it('pins every version', () => {
    for (const [name, { image }] of services) expect(image, name).to.match(/^[\w/-]+:\d+\.\d+\.\d+$/);
    expect(dockerfile).to.match(/^FROM node:\d+\.\d+\.\d+-slim$/m);
  });

  it('checks the health of everything that goes on running, and starts it again', () => {
    for (const [name, { restart, healthcheck }] of services.filter(([other]) => other !== 'setup')) {
      expect(healthcheck?.test, name).to.have.length.above(1);
      expect(restart, name).to.equal('unless-stopped');
    }
    for (const role of roles) expect(service(role).healthcheck?.test.join(' ')).to.match(/9090\/healthz/);
    expect(service('setup').restart).to.equal('no');
  });

  it('keeps the data of every store in a volume of its own', () => {
    const folders = { kafka: '/var/lib/kafka/data', mongo: '/data/db', redis: '/data', devnet: '/devnet' };
    for (const [name, folder] of Object.entries(folders)) {
      expect(service(name).volumes).to.deep.equal([`${name}:${folder}`]);
      expect(compose.volumes).to.have.property(name);
    }
    expect(service('kafka').environment).to.have.property('KAFKA_LOG_DIRS', folders.kafka);
  });

  it('lets Redis forget nothing that it has acknowledged', () => {
    const command = service('redis').command?.join(' ');
    expect(command).to.contain('--appendonly yes');
    expect(command).to.contain('--appendfsync always');
    expect(command).to.contain('--maxmemory-policy noeviction');
  });

  it('sets what there is to set, for every role the same', () => {
    for (const role of [...roles, 'setup']) {
      const names = Object.keys(service(role).environment ?? {});
      expect([...keys]).to.include.members(names);
      expect(names).to.include.members([
        'KAFKA_BROKERS',
        'MONGODB_URL',
        'REDIS_URL',
        'JWT_KEYS',
        'TRACKED_DAOS',
      ]);
      expect(service(role).environment).to.deep.equal(service('api').environment);
    }
    const set = /^ENV (.*)$/m
      .exec(dockerfile)?.[1]
      ?.split(' ')
      .map((one) => one.split('=')[0]);
    expect([...keys, 'NODE_ENV']).to.include.members(set ?? []);
  });

  it('holds no secret', () => {
    expect(service('api').environment).to.have.property('JWT_KEYS', null);
  });

  it('lets projectors be as many as one likes', () => {
    const { container_name, ports } = service('projector');
    expect(container_name).to.equal(undefined);
    expect(ports).to.equal(undefined);
  });

  it('publishes the API and the devnet to this machine alone, and no store', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).to.have.length(2);
    for (const port of published) expect(port).to.match(/^(api|devnet) 127\.0\.0\.1:/);
  });

  it('starts a role once its stores answer and the list of revoked tokens is made', () => {
    for (const role of roles) {
      const { devnet, setup, ...stores } = service(role).depends_on ?? {};
      expect(setup?.condition).to.equal('service_completed_successfully');
      expect(devnet).to.deep.equal({ condition: 'service_healthy', required: false });
      expect(Object.keys(stores).sort()).to.deep.equal(['kafka', 'mongo', 'redis']);
      for (const { condition } of Object.values(stores)) expect(condition).to.equal('service_healthy');
      expect(service(role).profiles).to.equal(undefined);
    }
    expect(service('devnet').profiles).to.deep.equal(['devnet']);
  });
});

describe('Dockerfile', () => {
  it('runs as a user of no rights, without what only development needs', () => {
    expect(dockerfile).to.match(/^RUN npm ci --omit=dev/m);
    const user = dockerfile.indexOf('\nUSER node\n');
    expect(user).to.be.above(dockerfile.lastIndexOf('\nRUN '));
    expect(user).to.be.below(dockerfile.indexOf('\nENTRYPOINT '));
  });

  it('checks the health of a container of its own', () => {
    expect(dockerfile).to.match(/^HEALTHCHECK .*\\\n {2}CMD \["node", .*\/healthz/m);
  });

  it('takes in what is named and nothing else', () => {
    const lines = text('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).to.equal('*');
    const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(taken).to.include.members([
      'package.json',
      'package-lock.json',
      'cli.ts',
      'shared',
      'test/devnet',
    ]);
  });
});
