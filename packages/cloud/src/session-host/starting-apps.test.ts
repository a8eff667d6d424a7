import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VirtualClock } from '../time/testing/virtual-clock.ts'
import type { AppDirectory, SessionApp } from './collaborators.ts'
import { StartingApps } from './starting-apps.ts'

const START_MS = 5_000

function rig() {
  const clock = new VirtualClock()
  const row: SessionApp = {
    id: 'a',
    packageName: 'dev.example.app',
    name: 'Example',
    appType: 'STANDARD',
    permissions: [],
    hardwareRequirements: [],
    publicUrl: 'https://app.example.org',
    settings: [],
    unreachableSince: null,
  }
  let reads = 0
  const read = async () => {
    reads += 1
    return row
  }
  const directory: AppDirectory = {
    findByPackage: read,
    findVisible: read,
    findByIds: async () => [],
    findByPackages: async () => [row],
    markReachable: async () => {},
  }
  const apps = new StartingApps(directory, () => clock.now(), START_MS)
  return { clock, row, apps, reads: () => reads }
}

test('LIFE-43: the steps of a start use the app that was read first, until the deadline of the start', async () => {
  const { clock, row, apps, reads } = rig()
  apps.add(row, true)
  assert.equal(apps.takeRequested(row.packageName), row)
  for (let step = 0; step < 4; step += 1) assert.equal(await apps.find(row.packageName), row)
  assert.equal(reads(), 0)
  clock.advance(START_MS)
  await apps.find(row.packageName)
  assert.equal(reads(), 1)
})

test('LIFE-43: a start uses the requested app once; an app that is read later is read again', () => {
  const { clock, row, apps } = rig()
  apps.add(row, true)
  assert.equal(apps.takeRequested(row.packageName), row)
  assert.equal(apps.takeRequested(row.packageName), undefined)
  apps.add(row, true)
  clock.advance(START_MS)
  assert.equal(apps.takeRequested(row.packageName), undefined)
})

test('LIFE-43: an app that changes while it is starting is replaced', async () => {
  const { row, apps, reads } = rig()
  apps.add(row, true)
  const changed = { ...row, publicUrl: 'https://moved.example.org' }
  apps.update(changed)
  assert.equal(await apps.find(row.packageName), changed)
  assert.equal(apps.takeRequested(row.packageName), changed)
  apps.update({ ...changed, packageName: 'dev.example.other' })
  await apps.find('dev.example.other')
  assert.equal(reads(), 1, 'an app that is not starting is not kept')
})
