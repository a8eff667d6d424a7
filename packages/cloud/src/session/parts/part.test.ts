import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { command } from '../command.ts'
import { commandsOf, type PartClass, routesOf } from './part.ts'

class Photos {
  static readonly appHandlers = { photo_request: () => {} }
  static readonly commands = { claim: command([], Type.Boolean(), () => true) }
  readonly pending = []
}
class Camera extends Photos {}
class Buttons {}

const appRoutes = (parts: readonly PartClass[]) => routesOf(parts, ({ appHandlers }) => appHandlers)

test('SES-25: a route names the part that handles a message type', () => {
  const routes = appRoutes([Buttons, Photos])
  assert.equal(routes.get('photo_request')?.partIndex, 1)
  assert.equal(routes.get('button_press'), undefined)
})

test('SES-25: two parts that handle the same message type are rejected', () => {
  assert.throws(
    () => appRoutes([Photos, Buttons, Camera]),
    /^Error: Camera and Photos both handle photo_request$/,
  )
})

test('SES-25: two parts that have commands of the same name are rejected', () => {
  assert.equal(commandsOf([Buttons, Photos]).get('claim')?.partIndex, 1)
  assert.throws(() => commandsOf([Photos, Camera]), /^Error: Camera and Photos both have the command claim$/)
})
