import { Address, beginCell, type Cell } from '@ton/core';
import { expect } from 'chai';
import fc from 'fast-check';
import { bodyOf, type MessageSchema } from '../../../shared/contracts/message-schema.ts';

export const uint = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
export const number = (bits: number) => fc.integer({ min: 0, max: 2 ** bits - 1 });
export const queryId = uint(64);
export const amount = uint(120);
export const address = fc
  .tuple(fc.constantFrom(0, -1), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([workchain, hash]) => new Address(workchain, Buffer.from(hash)));
export const maybeAddress = fc.option(address);
export const cell = fc
  .uint8Array({ maxLength: 100 })
  .map((bytes) => beginCell().storeBuffer(Buffer.from(bytes)).endCell());
export const text = fc
  .string({ unit: 'grapheme', maxLength: 300 })
  .map((value) => Buffer.from(value).toString());
export const forwardPayload = fc.record({
  form: fc.constantFrom('inline' as const, 'reference' as const),
  cell: fc.constant(beginCell().storeUint(7, 9).endCell()),
});

/** A schema with the messages that it must read back as they were written. */
export interface Case {
  schema: MessageSchema<never>;
  messages: fc.Arbitrary<unknown>;
  opcode?: number;
}

export function of<T>(
  schema: MessageSchema<T>,
  fields: { [K in keyof T]: fc.Arbitrary<T[K]> },
  opcode?: number,
): Case {
  return {
    schema: schema as unknown as MessageSchema<never>,
    messages: fc.record(fields),
    ...(opcode !== undefined && { opcode }),
  };
}

/** That every message which can be is read back as it was written, and that no opcode stands twice. */
export function describeSchemas(name: string, cases: Case[]): void {
  describe(name, () => {
    for (const { schema, messages, opcode } of cases)
      it(`${schema.name} is read as it was written`, () => {
        if (opcode !== undefined) expect(schema.opcode).to.equal(opcode);
        fc.assert(
          fc.property(messages, (message) => {
            const body = bodyOf(schema, message as never);
            const slice = body.beginParse();
            expect(slice.loadUint(32)).to.equal(schema.opcode);
            const read = schema.load(slice);
            slice.endParse();
            expect(comparable(read)).to.deep.equal(comparable(message));
            expect(bodyOf(schema, read).equals(body)).to.equal(true);
          }),
          { numRuns: 50 },
        );
      });

    it('has no two schemas of one opcode', () => {
      expect(new Set(cases.map(({ schema }) => schema.opcode)).size).to.equal(cases.length);
    });
  });
}

/** Cells and addresses by what they hold, so that chai compares contents. */
export function comparable(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Address.isAddress(value)) return value.toRawString();
  if ('beginParse' in value) return (value as Cell).hash().toString('hex');
  if (Array.isArray(value)) return value.map(comparable);
  if (value instanceof Map) return [...value].map(comparable);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, comparable(field)]));
}
