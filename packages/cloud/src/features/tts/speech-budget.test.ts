import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eachDatabase, type TestScope } from '../../db/testing.ts'
import { SpeechBudget, SpeechBudgetError } from './speech-budget.ts'
import { SpeechBudgetStore } from './speech-budget-store.ts'

const DAY_MS = 86_400_000

describe('daily budget of text-to-speech', () => {
  eachDatabase(({ open }) => {
    const start = async (t: TestScope) => {
      const db = await open(t)
      const time = { now: 20_000 * DAY_MS }
      const create = () =>
        new SpeechBudget({
          store: new SpeechBudgetStore(db),
          dailyCharacters: 1_000,
          secret: 'a secret',
          now: () => time.now,
        })
      return { db, time, budget: create(), otherNode: create() }
    }
    const reject = (charge: Promise<unknown>, message: RegExp) =>
      assert.rejects(charge, (error) => error instanceof SpeechBudgetError && message.test(error.message))

    test('TTS-38: nodes share the characters of an address and of all', async (t) => {
      const { budget, otherNode } = await start(t)
      await budget.charge('a', 60)
      await otherNode.charge('a', 40)
      for (const node of [budget, otherNode]) await reject(node.charge('a', 1), /of your address/)
      for (const address of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j']) await budget.charge(address, 100)
      for (const node of [budget, otherNode]) await reject(node.charge('k', 1), /of this server/)
      await reject(budget.charge('k', 101), /of your address/)
    })

    test('TTS-38: parallel texts cannot exceed the budget together', async (t) => {
      const { db, budget, otherNode } = await start(t)
      const charges = Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? budget : otherNode).charge(`address ${n % 30}`, 30),
      )
      const outcomes = await Promise.allSettled(charges)
      const charged = outcomes.filter(({ status }) => status === 'fulfilled').length * 30
      assert.ok(charged <= 1_000 && charged > 960, String(charged))
      const rows = await db.selectFrom('speech_usage').select(['caller', 'characters']).execute()
      assert.equal(rows.find(({ caller }) => caller === '')?.characters, charged)
      const sum = rows.reduce((total, row) => total + (row.caller === '' ? 0 : row.characters), 0)
      assert.equal(sum, charged, 'what exceeds the budget of all is charged to nobody')
    })

    test('TTS-38: a refund, and the next day', async (t) => {
      const { db, time, budget } = await start(t)
      const refund = await budget.charge('a', 100)
      await refund()
      await budget.charge('a', 100)
      time.now += DAY_MS - 1
      await reject(budget.charge('a', 1), /of your address/)
      time.now += 1
      await budget.charge('a', 100)
      const days = await db.selectFrom('speech_usage').select('day').distinct().execute()
      assert.deepEqual(
        days.map(({ day }) => day),
        [20_001],
        'earlier days are forgotten',
      )
    })
  })
})
