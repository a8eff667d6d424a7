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

export const AUTHENTICATION_SETTINGS = {
  title: 'Authentication',
  settings: {
    AUTH_SECRET: {
      fallback: 'generated in `DATA_DIR/auth-secret`',
      description:
        'key that signs tokens, at least 32 characters (`openssl rand -hex 32`); changing it invalidates all tokens unless the old one is `AUTH_SECRET_PREVIOUS`',
      isSecret: true,
    },
    AUTH_SECRET_PREVIOUS: {
      fallback: 'none',
      description:
        'another `AUTH_SECRET` that is accepted as well, while it is [changed](operations.md#changing-auth_secret), at least 32 characters',
      isSecret: true,
    },
    ACCEPT_NON_EXPIRING_TOKENS: {
      fallback: '`false`',
      description: 'accept tokens without `exp` that another program signed with `AUTH_SECRET`',
    },
    OAUTH_ISSUER: {
      fallback: '`PUBLIC_URL`',
      description: 'issuer of the tokens for web pages of apps, used exactly as written',
    },
    SIGN_UP: {
      fallback: '`open` if the host of `PUBLIC_URL` (or `HOST`) is a loopback address, otherwise `invite`',
      description:
        'who may create an account with e-mail address and password: `open` (everybody), `invite` (who has an invitation, also one to an organization) or `closed`. The first account is created in any case and becomes the administrator; it requires the set-up code that the server prints at its start',
    },
    EMAIL_VERIFICATION: {
      fallback:
        '`true` if `SMTP_URL` is set and the host of `PUBLIC_URL` (or `HOST`) is no loopback address, otherwise `false`',
      description:
        'users must confirm their e-mail address before they can sign in with a password. Without it they can sign in, but an unconfirmed address is no identity: see [accounts](accounts.md#confirmed-addresses)',
    },
    OIDC_ISSUERS: {
      fallback: 'none',
      description:
        'OpenID Connect issuers where users may sign in: a JSON list such as `[{"issuer":"https://login.example.org","clientId":"glasses","clientSecret":"…","label":"Example"}]`. `clientSecret` is optional; `id` names the issuer in URLs, by default its host with hyphens; `trustEmail`, `emailClaim` and `emailVerifiedClaim` are for issuers [without verified addresses](accounts.md#issuers-without-verified-addresses)',
      isSecret: true,
    },
    OIDC_ISSUER: {
      fallback: 'none',
      description:
        'OpenID Connect issuer whose ID tokens are accepted at `/api/auth/exchange-token`, such as `https://login.example.org`',
    },
    OIDC_AUDIENCE: {
      fallback: 'none',
      description: 'client id of this cloud at that issuer; required with `OIDC_ISSUER`',
    },
    OIDC_TRUST_EMAIL: {
      fallback: '`false`',
      description:
        'accept the addresses of `OIDC_ISSUER` as verified, whatever it says about them: only for an issuer whose users cannot choose [their addresses](accounts.md#issuers-without-verified-addresses)',
    },
    OIDC_EMAIL_CLAIM: {
      fallback: '`email`',
      description:
        'claim of `OIDC_ISSUER` that has the e-mail address; another one requires one of the other two settings',
    },
    OIDC_EMAIL_VERIFIED_CLAIM: {
      fallback: '`email_verified`',
      description: 'claim of `OIDC_ISSUER` that is true if the address is verified',
    },
    SUPABASE_URL: {
      fallback: 'none',
      description:
        'address of a Supabase project whose tokens are accepted at `/api/auth/exchange-token`, such as `https://example.supabase.co`; its users sign in by [their confirmed address](accounts.md#supabase)',
    },
    SUPABASE_ANON_KEY: {
      fallback: 'none',
      description:
        'publishable (anon) key of that project, with which the cloud asks it for the user of a token; required with `SUPABASE_URL`',
      isSecret: true,
    },
    SUPABASE_JWT_SECRET: {
      fallback: 'none',
      description:
        'shared secret with which Supabase signs tokens, at least 32 characters. Without `SUPABASE_URL`, what it signs is accepted at `/api/auth/exchange-token`; with it, tokens that it did not sign are rejected before the project is asked',
      isSecret: true,
    },
    AUTHING_APP_SECRET: {
      fallback: 'none',
      description:
        'signing key of Authing, at least 32 characters; its tokens are accepted at `/api/auth/exchange-token`',
      isSecret: true,
    },
    STORE_PACKAGE: {
      fallback: 'none',
      description:
        'package name of an app store whose web page may act for its users (`/api/auth/exchange-store-token`). It can install, start and stop apps for its users, so only name your own',
    },
  },
} as const satisfies SettingGroup
