import { AppWindow, Building2, CircleUser, Code, Glasses, Images, ShieldCheck } from '../components/icons.ts'

/** The pages that the bar of a phone shows. */
const FIRST = [
  { to: '/store', label: 'Apps', letter: 'a', Icon: AppWindow },
  { to: '/glasses', label: 'Glasses', letter: 'g', Icon: Glasses },
  { to: '/gallery', label: 'Gallery', letter: 'p', Icon: Images },
  { to: '/developer', label: 'Developer', letter: 'd', Icon: Code },
] as const

/** The pages that a phone shows after "More". */
const OTHERS = [
  { to: '/organizations', label: 'Organizations', letter: 'o', Icon: Building2 },
  { to: '/account', label: 'Account', letter: 'u', Icon: CircleUser },
] as const

const ADMINISTRATION = { to: '/admin', label: 'Administration', letter: 's', Icon: ShieldCheck } as const

/** A page of the main navigation, with the letter of its shortcut. */
export type MainPage = (typeof FIRST)[number] | (typeof OTHERS)[number] | typeof ADMINISTRATION

/** Returns the pages of the main navigation for a user; `first` are those that fit a phone. */
export function listMainPages({ isAdministrator }: { readonly isAdministrator: boolean }): {
  readonly first: readonly MainPage[]
  readonly others: readonly MainPage[]
} {
  return { first: FIRST, others: isAdministrator ? [...OTHERS, ADMINISTRATION] : OTHERS }
}
