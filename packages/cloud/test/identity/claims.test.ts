import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { Glasses } from '@glasses-cloud/phone'
import { eitherDatabase } from '../../src/db/testing.ts'
import { Browser } from '../support/account-browser.ts'
import { issueForeignToken, me, seconds } from '../support/deletion-client.ts'
import { startMailServer, tokenIn } from '../support/mail-server.ts'
import { startCloud } from '../support/test-cloud.ts'
import { createUserWithData, findOccurrences } from '../support/user-data.ts'
import { withTimeout } from '../support/wait-for.ts'

const password = 'correct horse battery'
const newPassword = 'staple of another kind'
const email = 'cfo@example.com'

describe('the claim of an unconfirmed account', () => {
  eitherDatabase((database) => {
    test('ACCT-58 AUTH-18: nothing of the earlier holder remains, and the new one starts empty', async (t) => {
      const cloud = await startCloud(t, { database })
      await new Browser(cloud).signUp('first@example.com', password)
      const squatter = new Browser(cloud)
      const { id } = (await squatter.signUp(email, password)).body.user
      const { ownPackage } = await createUserWithData(cloud, email)
      await cloud.registerApp({ packageName: 'com.operator.app', developerId: email })
      const token = await cloud.token(email)
      const glasses = new Glasses({ url: cloud.url, token, reconnect: false })
      t.after(() => glasses.disconnect())
      await glasses.connect()
      const closed = withTimeout(10_000, once(glasses, 'close'), 'the glasses were not closed')
      const owner = issueForeignToken(email, seconds(Date.now()))
      const claimed = await me(cloud, owner)
      assert.deepEqual([claimed.status, claimed.body.email], [200, email])
      assert.notEqual(claimed.body.id, id)
      assert.equal((await closed)[0].code, 4401)
      const left = await findOccurrences(cloud.cloud, [id])
      assert.deepEqual(
        left.filter((place) => !place.startsWith('sign_up_invitations.')),
        [],
      )
      assert.equal((await squatter.request('GET', '/api/account/me')).status, 401)
      assert.equal((await squatter.signIn(email, password)).status, 401)
      assert.equal((await me(cloud, token)).status, 401)
      // What others addressed to the address remains for its owner.
      const states = [ownPackage, 'com.operator.app'].map(async (packageName) => {
        const app = await cloud.operator.apps.findByPackage(packageName)
        return [app?.developerId, app?.appStoreStatus]
      })
      assert.deepEqual(await Promise.all(states), [
        [null, 'DEVELOPMENT'],
        [email, 'PUBLISHED'],
      ])
      const invitations = cloud.cloud.db.selectFrom('organization_invitations').select('email')
      assert.deepEqual(
        (await invitations.execute()).map((row) => row.email),
        [email],
      )
      assert.equal((await me(cloud, owner)).body.id, claimed.body.id)
    })

    test('ACCT-58: a suspension outlasts a claim', async (t) => {
      const cloud = await startCloud(t, { database })
      await new Browser(cloud).signUp('first@example.com', password)
      const { id } = (await new Browser(cloud).signUp(email, password)).body.user
      await cloud.operator.users.setSuspended(id, Date.now(), Date.now())
      assert.equal((await me(cloud, issueForeignToken(email, seconds(Date.now())))).status, 401)
      const user = await cloud.operator.users.findByEmail(email)
      assert.notEqual(user?.id, id)
      assert.ok(user?.suspendedAt !== undefined)
    })

    test('ACCT-34 ACCT-38: a link opened in another browser than the one that signed up', async (t) => {
      const mailServer = await startMailServer(t)
      const env = { SMTP_URL: mailServer.url, PUBLIC_URL: 'https://cloud.example.org', SIGN_UP: 'open' }
      const cloud = await startCloud(t, { database, env })
      const browser = () => new Browser(cloud, { origin: 'https://cloud.example.org' })
      await browser().signUp('first@example.com', password)
      const squatter = browser()
      const { token, user } = (await squatter.signUp(email, password)).body
      assert.equal(
        token,
        null,
        'addresses are confirmed wherever strangers reach the cloud and it sends mail',
      )
      const mail = await mailServer.next(email)
      assert.match(mail.text, /If it was not you/)
      const link = tokenIn(mail)
      const owner = browser()
      const verify = (body: object, from = owner) =>
        from.request<{ error?: string }>('POST', '/api/auth/verify-email', { token: link, ...body })
      const refused = await verify({})
      assert.deepEqual([refused.status, refused.body.error], [409, 'NEW_PASSWORD_REQUIRED'])
      assert.equal((await verify({ newPassword: 'short' })).status, 400)
      assert.equal((await verify({ newPassword })).status, 200)
      assert.equal((await verify({}, squatter)).status, 400)
      assert.equal((await squatter.signIn(email, password)).status, 401)
      const signedIn = await owner.signIn(email, newPassword)
      assert.deepEqual([signedIn.status, signedIn.body.user?.emailVerified], [200, true])
      assert.notEqual(signedIn.body.user?.id, user.id)
    })

    test('ACCT-38: a link opened by the holder keeps the account', async (t) => {
      const mailServer = await startMailServer(t)
      const cloud = await startCloud(t, { database, env: { SMTP_URL: mailServer.url } })
      await new Browser(cloud).signUp('first@example.com', password)
      const holder = new Browser(cloud)
      const { user } = (await holder.signUp(email, password)).body
      assert.equal(user.emailVerified, false)
      await holder.request('POST', '/api/auth/send-verification-email', { email })
      const body = { token: tokenIn(await mailServer.next(email)) }
      assert.equal((await holder.request('POST', '/api/auth/verify-email', body)).status, 200)
      const session = await holder.session()
      assert.deepEqual([session?.user.id, session?.user.emailVerified], [user.id, true])

      const other = new Browser(cloud)
      const { id } = (await other.signUp('other@example.com', password)).body.user
      await other.request('POST', '/api/auth/request-password-reset', { email: 'other@example.com' })
      const mail = await mailServer.next('other@example.com')
      assert.match(mail.text, /never confirmed/)
      const reset = { token: tokenIn(mail), newPassword }
      assert.equal((await other.request('POST', '/api/auth/reset-password', reset)).status, 200)
      const again = await other.signIn('other@example.com', newPassword)
      assert.deepEqual([again.body.user?.id, again.body.user?.emailVerified], [id, true])
    })

    test('ACCT-4 ACCT-38: an invitation confirms the unconfirmed account of its holder', async (t) => {
      const cloud = await startCloud(t, { database, env: { SIGN_UP: 'open' } })
      const administrator = new Browser(cloud)
      await administrator.signUp('first@example.com', password)
      const signUpInvited = async (address: string, chosen: string, browserOf: (own: Browser) => Browser) => {
        const own = new Browser(cloud)
        const { id } = (await own.signUp(address, password)).body.user
        const path = '/api/auth/invitations'
        const { body } = await administrator.request<{ token: string }>('POST', path, { email: address })
        const { status } = await browserOf(own).signUp(address, chosen, { invitation: body.token })
        const user = await cloud.operator.users.findByEmail(address)
        assert.deepEqual([user?.id, user?.isEmailVerified], [id, true], address)
        assert.equal((await new Browser(cloud).signIn(address, password)).status, 200, address)
        return status
      }
      const elsewhere = () => new Browser(cloud)
      assert.equal(await signUpInvited('a@example.com', password, elsewhere), 200)
      // The password of the account is kept: its holder signs in with it.
      assert.equal(await signUpInvited('b@example.com', newPassword, (own) => own), 422)
    })

    test('ACCT-4 ACCT-38: an invitation confirms its address, and claims its unconfirmed account', async (t) => {
      const cloud = await startCloud(t, { database, env: { SIGN_UP: 'open' } })
      const administrator = new Browser(cloud)
      await administrator.signUp('first@example.com', password)
      const squatter = new Browser(cloud)
      await squatter.signUp(email, password)
      const invite = async (address: string) => {
        const path = '/api/auth/invitations'
        return (await administrator.request<{ token: string }>('POST', path, { email: address })).body.token
      }
      const invitation = await invite(email)
      const [owner, late] = [new Browser(cloud), new Browser(cloud)]
      const { status, body } = await owner.signUp(email, newPassword, { invitation, name: 'C. F. O.' })
      assert.deepEqual([status, body.user.emailVerified], [200, true])
      assert.equal((await owner.session())?.user.id, body.user.id)
      assert.equal(await squatter.session(), null)
      assert.equal((await late.signUp(email, password, { invitation })).status, 422)
      const fresh = { invitation: await invite('new@example.com') }
      const created = await new Browser(cloud).signUp('new@example.com', password, fresh)
      assert.deepEqual([created.status, created.body.user.emailVerified], [200, true])
    })
  })
})
