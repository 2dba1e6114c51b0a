import { beginCell, Dictionary } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  loadJettonContent,
  offChainContent,
  onChainContent,
} from '../../../shared/contracts/jetton/content.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 400 }).map((value) => Buffer.from(value).toString());

describe('jetton metadata (TEP-64)', () => {
  it('on-chain: every attribute is read as it was written', () => {
    const attributes = fc.record({ name: text, symbol: text, description: text, decimals: fc.constant('9') });
    fc.assert(
      fc.property(attributes, (metadata) => {
        const content = loadJettonContent(onChainContent(metadata));
        expect(content).to.deep.equal({ metadata, uri: null });
      }),
      { numRuns: 100 },
    );
  });

  it('on-chain: attributes come in the order of the standard, whatever the order of the dictionary', () => {
    const { metadata } = loadJettonContent(onChainContent({ symbol: 'S', name: 'N', uri: 'https://u' }));
    expect(Object.keys(metadata)).to.deep.equal(['uri', 'name', 'symbol']);
  });

  it('on-chain: image_data is bytes, shown in base64', () => {
    const image_data = Buffer.from([0, 255, 128]).toString('base64');
    expect(loadJettonContent(onChainContent({ image_data })).metadata).to.deep.equal({ image_data });
  });

  it('on-chain: a chunked value is put together in the order of its chunks', () => {
    const chunk = (part: string) => beginCell().storeBuffer(Buffer.from(part)).endCell();
    const chunks = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell())
      .set(1, chunk('lo'))
      .set(0, chunk('hel'));
    const value = beginCell().storeUint(1, 8).storeDict(chunks).endCell();
    const name = 0x82a3537ff0dbce7eec35d69edc3a189ee6f17d82f353a553f9aa96cb0be3ce89n;
    const attributes = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell()).set(
      name,
      value,
    );
    const cell = beginCell().storeUint(0, 8).storeDict(attributes).endCell();
    expect(loadJettonContent(cell).metadata).to.deep.equal({ name: 'hello' });
  });

  it('off-chain: the URI is what is known, however long', () => {
    const uri = `https://example.org/${'x'.repeat(300)}`;
    expect(loadJettonContent(offChainContent(uri))).to.deep.equal({ metadata: { uri }, uri });
  });

  it('semi-chain: the attributes and the URI', () => {
    const content = loadJettonContent(onChainContent({ uri: 'https://example.org/j', symbol: 'J' }));
    expect(content).to.deep.equal({
      metadata: { uri: 'https://example.org/j', symbol: 'J' },
      uri: 'https://example.org/j',
    });
  });

  it('a cell of no known form says nothing', () => {
    expect(loadJettonContent(beginCell().endCell())).to.deep.equal({ metadata: {}, uri: null });
    expect(loadJettonContent(beginCell().storeUint(7, 8).endCell()).metadata).to.deep.equal({});
  });
});
