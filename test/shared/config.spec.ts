import { expect } from 'chai';
import { configKeys, readConfig } from '../../shared/config.ts';

describe('configuration', () => {
  it('takes defaults where nothing is set, and is frozen', () => {
    const config = readConfig({});
    expect(config.PORT).to.equal(8080);
    expect(config.TRACKED_DAOS).to.deep.equal([]);
    expect(Object.isFrozen(config)).to.equal(true);
  });

  it('counts an empty variable as one that is not set', () => {
    expect(readConfig({ PORT: '' }).PORT).to.equal(8080);
  });

  it('reads lists and addresses in any form', () => {
    const raw = `0:${'ab'.repeat(32)}`;
    expect(readConfig({ TRACKED_DAOS: ` ${raw.toUpperCase()} ,` }).TRACKED_DAOS).to.deep.equal([raw]);
  });

  it('names every key that does not fit and shows no value', () => {
    const wrong = { PORT: '70000', TRACKED_DAOS: 'EQsecret', LOG_LEVEL: 'loud' };
    expect(() => readConfig(wrong))
      .to.throw(/TRACKED_DAOS.*PORT.*LOG_LEVEL/)
      .with.property('message')
      .that.does.not.match(/70000|EQsecret|loud/);
  });

  it('takes a mini app of Telegram alone', () => {
    const app = 'https://t.me/harbour_bot/app';
    expect(readConfig({ MINI_APP_URL: app }).MINI_APP_URL).to.equal(app);
    expect(readConfig({ MINI_APP_URL: '' }).MINI_APP_URL).to.equal(undefined);
    for (const wrong of [
      `${app}?x=1`,
      `${app}/`,
      `${app}#`,
      'http://t.me/harbour_bot/app',
      'https://t.me/bot',
      `${app}\n`,
    ])
      expect(() => readConfig({ MINI_APP_URL: wrong }), wrong).to.throw(/MINI_APP_URL/);
  });

  it('has a meaning for every key', () => {
    for (const key of configKeys) expect(key.meaning, key.name).to.have.length.above(10);
  });
});
