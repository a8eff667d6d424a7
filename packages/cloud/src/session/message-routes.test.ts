import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appRoutes, type FeatureClass, glassesRoutes } from './message-routes.ts'

const photos: FeatureClass = { name: 'Photos', appHandlers: { photo_request: () => {} } }
const buttons: FeatureClass = { name: 'Buttons', glassesHandlers: { button_press: () => {} } }

test('SES-25: a route names the feature that handles a message type', () => {
  const classes = [buttons, photos]
  assert.equal(appRoutes(classes).get('photo_request')?.featureIndex, 1)
  assert.equal(glassesRoutes(classes).get('button_press')?.featureIndex, 0)
  assert.equal(appRoutes(classes).get('button_press'), undefined)
})

test('SES-25: two features that handle the same message type are rejected', () => {
  const copy = { ...photos, name: 'Camera' }
  assert.throws(
    () => appRoutes([photos, buttons, copy]),
    /^Error: Camera and Photos both handle photo_request$/,
  )
  assert.throws(() => glassesRoutes([buttons, buttons]), /both handle button_press/)
})
