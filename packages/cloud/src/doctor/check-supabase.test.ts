import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config/index.ts'
import { findFreePort } from '../http/free-port.ts'
import { SupabaseProject } from '../identity/testing/supabase-project.ts'
import { checkSupabase } from './check-supabase.ts'

const check = async (env: Record<string, string>) =>
  (await checkSupabase(readConfig(env))).map(({ level, text }) => `${level}: ${text}`)

describe('doctor: Supabase', () => {
  test('doctor checks the address and key of a Supabase project, and what it confirms', async (t) => {
    const project = await SupabaseProject.start(t)
    const issuer = `${project.url}/auth/v1`
    assert.deepEqual(await check({}), [])
    assert.deepEqual(await check(project.env), [`ok: ${issuer} responds and accepts the key`])
    project.algorithm = 'HS256'
    assert.match((await check(project.env)).join(), /note: .+shared secret.+SUPABASE_JWT_SECRET/)
    project.confirmsAddresses = false
    assert.match((await check(project.env)).join(), /error: the project does not confirm addresses/)
    assert.deepEqual(await check({ ...project.env, SUPABASE_ANON_KEY: 'another' }), [
      `error: ${issuer} answers 401; correct SUPABASE_ANON_KEY or SUPABASE_URL`,
    ])
    const nowhere = `http://127.0.0.1:${await findFreePort()}`
    assert.deepEqual(await check({ ...project.env, SUPABASE_URL: nowhere }), [
      `error: ${nowhere}/auth/v1 cannot be used (ECONNREFUSED); correct SUPABASE_URL`,
    ])
    project.intercept = (_path, response) => {
      response.end('<html>')
      return true
    }
    assert.match(
      (await check(project.env)).join(),
      /^error: .+ cannot be used \(.+JSON.*\); correct SUPABASE_URL$/,
    )
  })
})
