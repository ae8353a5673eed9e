interface NewToken {
  readonly token: { readonly id: string; readonly role: string; readonly label: string; readonly expiresAt: string };
  readonly secret: string | null;
}

export const showNewToken = ({ token, secret }: NewToken) => ({
  tokenId: token.id,
  role: token.role,
  label: token.label,
  expiresAt: token.expiresAt,
  token: secret,
});
