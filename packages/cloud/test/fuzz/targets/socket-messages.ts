import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import {
  appToCloud,
  createMessageChecker,
  type Dialect,
  decode,
  encode,
  glassesToCloud,
  nestsDeeperThan,
} from '@glasses-cloud/contract'
import { fromApp, fromGlasses, messagesIn } from '../../support/message-examples/index.ts'
import type { FuzzTarget } from '../target.ts'

const SIDES = [createMessageChecker(glassesToCloud), createMessageChecker(appToCloud)]
const DIALECTS: readonly (Dialect | undefined)[] = [undefined, 'flat', 'envelope']

/** What no reason may contain. */
const INTERNALS = /\n\s+at |node:internal|node_modules|file:\/\/|TypeError|RangeError|is not a function/

/** The first byte selects the side and the dialect. */
const frame = (side: number, dialect: number, text: string) => `${String(3 * side + dialect)}${text}`

const seeds = [fromGlasses, fromApp].flatMap((examples, side) =>
  messagesIn(examples).flatMap((message) => [
    frame(side, 0, encode(message, 'flat')),
    frame(side, 0, encode(message, 'envelope')),
  ]),
)

/** Text frames of glasses and apps in both dialects: decoding and validation. */
export const target: FuzzTarget = {
  maxBytes: 4 * 1024,
  open: () => ({
    seeds,
    dictionary: [
      ...Object.keys({ ...glassesToCloud, ...appToCloud }).map((type) => `"${type}"`),
      ...[
        '"type":',
        '"data":{',
        '"__proto__":{',
        '"constructor":',
        '"toString"',
        'null',
        'true',
        '1e999',
        '-0',
        '[[[[[[',
        '{}',
        '""',
      ],
      ...['\\ud800', '\\u0000', ',', '}', ']', '"timestamp":1', '"sessionId":"x"', '0.1', '9007199254740993'],
    ],
    run(input) {
      const choice = (input[0] ?? 0) % 6
      const check = SIDES[choice < 3 ? 0 : 1]
      const known = DIALECTS[choice % 3]
      assert.ok(check)
      const decoded = decode(input.toString('utf8', 1), known)
      if (!decoded.ok) return assert.match(decoded.reason, /^The message .{5,80}$/)
      const { dialect, message } = decoded
      assert.equal(dialect, known ?? dialect)
      assert.ok(message.type.length > 0)
      assert.ok(!nestsDeeperThan(message, 66))
      // JSON has numbers that are too large to be written as JSON again.
      const content = JSON.parse(JSON.stringify(message))
      for (const form of ['flat', 'envelope'] as const) {
        const again = decode(encode(message, form), form)
        // A wrapped message has one level more.
        if (!again.ok) assert.ok(nestsDeeperThan(message, 63), again.reason)
        else assert.ok(isDeepStrictEqual(again.message, content), `${form} changes the message`)
      }
      const checked = check(message)
      if (checked.kind !== 'malformed') assert.equal(checked.message, message)
      else {
        assert.ok(checked.reason.length < 2_000, 'the reason is short')
        const shown = INTERNALS.exec(checked.reason)?.[0]
        assert.ok(shown === undefined || input.includes(shown), checked.reason)
      }
    },
  }),
}
