import type { Developer } from './developer.ts'
import type { LocalCloud } from './test-cloud.ts'

/** What administrators do to each other, or to themselves, at the same time. */
export type RaceAct = 'delete' | 'suspend' | 'demote' | 'delete the own account'

/** Administrators of whom each acts on the next one at the same time. */
export class AdministratorRace {
  readonly #cloud: LocalCloud
  readonly #act: RaceAct

  constructor(cloud: LocalCloud, act: RaceAct) {
    this.#cloud = cloud
    this.#act = act
  }

  /** @returns the status of each response */
  async run(racers: readonly Developer[]): Promise<number[]> {
    const responses = racers.map(({ token }, index) => {
      const target = racers[(index + 1) % racers.length]
      return this.#send(token, `/api/admin/users/${target?.id}`)
    })
    return (await Promise.all(responses)).map(({ status }) => status)
  }

  #send(token: string, user: string) {
    switch (this.#act) {
      case 'delete':
        return this.#cloud.request('DELETE', user, { token })
      case 'suspend':
        return this.#cloud.request('POST', `${user}/suspend`, { token, body: {} })
      case 'demote':
        return this.#cloud.request('PUT', `${user}/administrator`, {
          token,
          body: { isAdministrator: false },
        })
      default:
        return this.#cloud.request('POST', '/api/account/request-deletion', { token, body: {} })
    }
  }
}
