{{- define "social-accounts.fullname" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "social-accounts.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- with .build }}
social-accounts/build: {{ . | quote }}
{{- end }}
{{- end }}

{{/* The workers of each build have a Deployment of their own, so that a new build replaces none of the previous one. */}}
{{- define "social-accounts.workerName" -}}
{{ include "social-accounts.fullname" . }}-worker{{ with .Values.worker.buildId }}-{{ . | lower | replace "." "-" | replace "_" "-" }}{{ end }}
{{- end }}

{{- define "social-accounts.labels" -}}
{{ include "social-accounts.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "social-accounts.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end }}

{{- define "social-accounts.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (include "social-accounts.fullname" .) }}{{ else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{/*
The image's own user, 1000, and its group for volumes, unless podSecurityContext names others. OpenShift gives each namespace a user and
a group, and refuses any other.
*/}}
{{- define "social-accounts.podSecurity" -}}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") }}
{{- if not (.Capabilities.APIVersions.Has "security.openshift.io/v1") }}
{{- $_ := set $context "fsGroup" 1000 }}
{{- $_ := set $context "fsGroupChangePolicy" "OnRootMismatch" }}
{{- end }}
{{- toYaml (mergeOverwrite $context .Values.podSecurityContext) }}
{{- end }}

{{- define "social-accounts.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* NAME_FILE for each key of the mounted Secret. */}}
{{- define "social-accounts.secretEnv" -}}
{{- range . }}
- { name: {{ . }}_FILE, value: /run/secrets/service/{{ . }} }
{{- end }}
{{- end }}

{{- define "social-accounts.databaseCaEnv" -}}
{{- if .Values.database.caSecret }}
- { name: DATABASE_CA_FILE, value: /run/secrets/database/ca.crt }
{{- end }}
{{- if .Values.allowUnencryptedHosts }}
- { name: ALLOW_UNENCRYPTED_HOSTS, value: {{ .Values.allowUnencryptedHosts | quote }} }
{{- end }}
{{- end }}

{{/* Settings that api and worker share. */}}
{{- define "social-accounts.commonEnv" -}}
- { name: DEPLOYMENT, value: production }
- { name: LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- { name: CONNECT_URL, value: {{ required "connectUrl is required: the public https address of launch pages and callbacks" .Values.connectUrl | quote }} }
- { name: TASK_QUEUE, value: {{ .Values.temporal.taskQueue | quote }} }
- { name: TEMPORAL_ADDRESS, value: {{ required "temporal.address is required: host and port of Temporal's frontend" .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- if .Values.temporal.tls.enabled }}
- { name: TEMPORAL_TLS, value: 'true' }
{{- end }}
{{- if .Values.temporal.tls.clientSecret }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /run/secrets/temporal/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /run/secrets/temporal/tls.key }
{{- end }}
{{- if .Values.temporal.tls.caSecret }}
- { name: TEMPORAL_TLS_SERVER_CA_CERT_PATH, value: /run/secrets/temporal-ca/ca.crt }
{{- end }}
{{- if .Values.temporal.apiKeySecret }}
- name: TEMPORAL_API_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.temporal.apiKeySecret }}, key: TEMPORAL_API_KEY } }
{{- end }}
{{- if .Values.journal.existingClaim }}
- { name: ERASURE_JOURNAL, value: /journal }
{{- end }}
{{- with .Values.journal.bucket }}
- { name: ERASURE_JOURNAL, value: {{ . | quote }} }
{{- end }}
{{- with .Values.journal.endpoint }}
- { name: ERASURE_JOURNAL_ENDPOINT, value: {{ . | quote }} }
{{- end }}
{{- include "social-accounts.databaseCaEnv" . }}
{{- range $name, $value := .Values.extraEnv }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}

{{/* Credentials for the journal's bucket, from the Secret that is given. */}}
{{- define "social-accounts.bucketEnv" -}}
{{- if . }}
- name: AWS_ACCESS_KEY_ID
  valueFrom: { secretKeyRef: { name: {{ . }}, key: AWS_ACCESS_KEY_ID } }
- name: AWS_SECRET_ACCESS_KEY
  valueFrom: { secretKeyRef: { name: {{ . }}, key: AWS_SECRET_ACCESS_KEY } }
{{- end }}
{{- end }}

{{/* Of the Secret named .secret, and of those that all processes read. */}}
{{- define "social-accounts.volumes" -}}
- name: secrets
  secret: { secretName: {{ .secret }}, defaultMode: 0440 }
{{- with .root.Values.database.caSecret }}
- name: database-ca
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end }}
{{- if and .temporal .root.Values.temporal.tls.clientSecret }}
- name: temporal-tls
  secret: { secretName: {{ .root.Values.temporal.tls.clientSecret }}, defaultMode: 0440 }
{{- end }}
{{- if and .temporal .root.Values.temporal.tls.caSecret }}
- name: temporal-ca
  secret: { secretName: {{ .root.Values.temporal.tls.caSecret }}, items: [{ key: ca.crt, path: ca.crt }], defaultMode: 0440 }
{{- end }}
{{- if and .temporal .root.Values.journal.existingClaim }}
- name: journal
  persistentVolumeClaim: { claimName: {{ .root.Values.journal.existingClaim }} }
{{- end }}
{{- end }}

{{- define "social-accounts.volumeMounts" -}}
- { name: secrets, mountPath: /run/secrets/service, readOnly: true }
{{- if .root.Values.database.caSecret }}
- { name: database-ca, mountPath: /run/secrets/database, readOnly: true }
{{- end }}
{{- if and .temporal .root.Values.temporal.tls.clientSecret }}
- { name: temporal-tls, mountPath: /run/secrets/temporal, readOnly: true }
{{- end }}
{{- if and .temporal .root.Values.temporal.tls.caSecret }}
- { name: temporal-ca, mountPath: /run/secrets/temporal-ca, readOnly: true }
{{- end }}
{{- if and .temporal .root.Values.journal.existingClaim }}
- { name: journal, mountPath: /journal, readOnly: {{ .journalReadOnly }} }
{{- end }}
{{- end }}

{{/* Spread over nodes and zones where there are several. */}}
{{- define "social-accounts.spread" -}}
{{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ $key }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "social-accounts.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
