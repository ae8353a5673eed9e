/** The settings of the platforms; `config/config.ts` reads them. */
export interface ProviderConfig {
  readonly PROVIDER_A_AUTHORIZE_URL: string;
  readonly PROVIDER_A_TOKEN_URL: string;
  readonly PROVIDER_A_API_URL: string;
  readonly PROVIDER_A_UPLOAD_MARGIN_DAYS: number;
  readonly PROVIDER_B_AUTHORIZE_URL: string;
  readonly PROVIDER_B_API_URL: string;
  readonly PROVIDER_B_PKCE: 'none' | 'base64url' | 'hex';
  readonly PROVIDER_B_EVENT_MAX_AGE_SECONDS: number;
  readonly PROVIDER_C_AUTHORIZE_URL: string;
  readonly PROVIDER_C_TOKEN_URL: string;
  readonly PROVIDER_C_API_URL: string;
  readonly PROVIDER_C_API_VERSION: string;
}
