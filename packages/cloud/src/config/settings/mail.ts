import type { SettingGroup } from './setting-group.ts'

export const MAIL_SETTINGS = {
  title: 'Mail',
  settings: {
    SMTP_URL: {
      fallback: 'none',
      description:
        "mail server for password resets, confirmations of addresses and invitations: `smtps://user:password@mail.example.org`. Without it, `MAIL_FILE` or else the server's log contains the links, for the operator to pass on",
    },
    MAIL_FILE: {
      fallback: 'none',
      description:
        'file for messages without `SMTP_URL`, instead of the log: a line of JSON for each, readable by the user of the server only',
    },
    MAIL_FROM: {
      fallback: '`Glasses Cloud <no-reply@HOST>` with the host of `PUBLIC_URL`',
      description: 'sender of messages',
    },
  },
} as const satisfies SettingGroup
