import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grants, PERMISSION_TYPES } from './permissions.ts'

describe('declared permissions', () => {
  test('CAT-40: a permission grants only itself', () => {
    for (const declared of PERMISSION_TYPES) {
      if (declared === 'ALL' || declared === 'NOTIFICATIONS') continue
      const granted = PERMISSION_TYPES.filter((needed) => grants([{ type: declared }], needed))
      assert.deepEqual(granted, [declared])
    }
    assert.ok(PERMISSION_TYPES.every((needed) => !grants([], needed)))
  })

  test('CAT-41: ALL grants every permission', () => {
    assert.ok(PERMISSION_TYPES.every((needed) => grants([{ type: 'ALL' }], needed)))
  })

  test('CAT-42: the legacy NOTIFICATIONS grants READ_NOTIFICATIONS, not POST_NOTIFICATIONS', () => {
    const granted = PERMISSION_TYPES.filter((needed) => grants([{ type: 'NOTIFICATIONS' }], needed))
    assert.deepEqual(granted, ['NOTIFICATIONS', 'READ_NOTIFICATIONS'])
  })
})
