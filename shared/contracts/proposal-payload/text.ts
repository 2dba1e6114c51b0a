import { messageSchema } from '../message-schema.ts';
import { loadSnakeText, snakeText } from '../snake-text.ts';

/** A decision in words; nothing happens on the chain. */
export interface TextPayload {
  text: string;
}

export const textPayload = messageSchema<TextPayload>('text text:^Cell = ProposalPayload', {
  load: (slice) => ({ text: loadSnakeText(slice.loadRef().beginParse()) }),
  store: (payload, builder) => {
    builder.storeRef(snakeText(payload.text));
  },
});
