-- The key that signs commits, sealed with the instance's secret. Null: commits are not signed.
ALTER TABLE instance ADD COLUMN sealed_signing_key bytea;
