//! Seals of checkpoints (CAdES baseline B, detached): their one form, and who issued the certificate.

use std::time::Duration;

use ring::signature::{
    UnparsedPublicKey, VerificationAlgorithm, ECDSA_P256_SHA256_ASN1, RSA_PSS_2048_8192_SHA256,
};
use rustls::pki_types::{CertificateDer, TrustAnchor, UnixTime};
use webpki::{
    anchor_from_trusted_cert, EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeIdIter,
};

use crate::der::{
    extension, issuer_and_serial, read_time, to_be_signed, Der, Read, Value, FIRST, INTEGER,
    OBJECT, OCTETS, SEQUENCE, SET,
};
use crate::hash::{sha256, Hash};
use crate::stamp::{algorithms, CONTENT_TYPE, MESSAGE_DIGEST, SIGNED_DATA};

const BYTES_MAX: usize = 16_384;

const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x01];
const SIGNING_TIME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x05];
const SIGNING_CERTIFICATE: &[u8] =
    &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x10, 0x02, 0x2f];
const KEY_USAGE: &[u8] = &[0x55, 0x1d, 0x0f];
const UTC_TIME: u8 = 0x17;
const BITS: u8 = 0x03;

/// AlgorithmIdentifier of SHA-256.
const SHA_256: &[u8] =
    &[0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00];
const ECDSA: &[u8] = &[0x30, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];
/// RSA-PSS with SHA-256, MGF1 with SHA-256, and a salt of 32 bytes.
const RSA_PSS: &[u8] = &[
    0x30, 0x41, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x0a, 0x30, 0x34, 0xa0,
    0x0f, 0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00,
    0xa1, 0x1c, 0x30, 0x1a, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08, 0x30,
    0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05, 0x00, 0xa2, 0x03,
    0x02, 0x01, 0x20,
];
/// Algorithms of public keys: a point of P-256, and RSA.
const OF_P256: &[u8] = &[
    0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
    0xce, 0x3d, 0x03, 0x01, 0x07,
];
const OF_RSA: &[u8] =
    &[0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00];

/// A seal whose form and signature are right; who issued its certificate is for the reader.
pub struct Seal<'a> {
    /// The moment that it states, in microseconds since 1970.
    pub moment: i64,
    certificate: &'a [u8],
}

impl<'a> Seal<'a> {
    /// Read a seal that has to be over some bytes, and check its signature.
    pub fn read(seal: &'a [u8], content: &[u8]) -> Read<Seal<'a>> {
        if seal.len() > BYTES_MAX {
            return Err(format!("a seal has at most {BYTES_MAX} bytes"));
        }
        let mut outer = Der(seal);
        let mut message = outer.expect(SEQUENCE)?.inside();
        outer.expect_end()?;
        is(message.expect(OBJECT)?.content, SIGNED_DATA)?;
        let mut explicit = only(&mut message, FIRST)?;
        let mut signed = only(&mut explicit, SEQUENCE)?;
        is(signed.expect(INTEGER)?.content, &[1])?;
        let mut digests = signed.expect(SET)?.inside();
        is(digests.expect(SEQUENCE)?.whole, SHA_256)?;
        digests.expect_end()?;
        let mut data = signed.expect(SEQUENCE)?.inside();
        is(data.expect(OBJECT)?.content, DATA)?;
        data.expect_end()?;
        let mut certificates = signed.expect(FIRST)?.inside();
        let certificate = certificates.expect(SEQUENCE)?.whole;
        certificates.expect_end()?;
        let mut signers = only(&mut signed, SET)?;
        let mut signer = only(&mut signers, SEQUENCE)?;
        is(signer.expect(INTEGER)?.content, &[1])?;
        let mut name = signer.expect(SEQUENCE)?.inside();
        let found = (name.expect(SEQUENCE)?.whole, name.expect(INTEGER)?.content);
        name.expect_end()?;
        if issuer_and_serial(certificate)? != found {
            return Err("it does not hold the certificate of its signer".into());
        }
        is(signer.expect(SEQUENCE)?.whole, SHA_256)?;
        let attributes = signer.expect(FIRST)?;
        let algorithm = signer.expect(SEQUENCE)?.whole;
        let signature = signer.expect(OCTETS)?.content;
        signer.expect_end()?;
        let moment = read_attributes(attributes, certificate, content)?;
        let mut bytes = attributes.whole.to_vec();
        bytes[0] = SET;
        verify_signature(certificate, algorithm, &bytes, signature)?;
        Ok(Seal { moment, certificate })
    }

    /// SHA-256 of the certificate.
    pub fn digest(&self) -> Hash {
        sha256(&[self.certificate])
    }

    /// Check that an authority issued the certificate, which was in force at a moment.
    pub fn verify(&self, authorities: &[CertificateDer], moment: i64) -> Read<()> {
        if let Some((_, value)) = extension(self.certificate, KEY_USAGE)? {
            let bits = Der(value).expect(BITS)?.content;
            // Bits 0 and 1: digitalSignature and nonRepudiation.
            if bits.get(1).is_none_or(|first| first & 0xc0 == 0) {
                return Err("its certificate is not for signatures".into());
            }
        }
        let der = CertificateDer::from(self.certificate);
        let leaf = EndEntityCert::try_from(&der)
            .map_err(|error| format!("its certificate can't be used: {error}"))?;
        let anchors: Vec<TrustAnchor> = authorities
            .iter()
            .filter_map(|one| anchor_from_trusted_cert(one).ok())
            .filter(|anchor| anchor.name_constraints.is_none())
            .collect();
        let seconds = u64::try_from(moment / 1_000_000).unwrap_or(0);
        let time = UnixTime::since_unix_epoch(Duration::from_secs(seconds));
        leaf.verify_for_usage(algorithms(), &anchors, &[], time, AnyUsage, None, None)
            .map_err(|error| format!("no authority given vouches for it: {error}"))?;
        Ok(())
    }
}

/// Certificates of seals name no common extended usage.
struct AnyUsage;

impl ExtendedKeyUsageValidator for AnyUsage {
    fn validate(&self, _: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        Ok(())
    }
}

fn is(found: &[u8], wanted: &[u8]) -> Read<()> {
    if found == wanted {
        return Ok(());
    }
    Err("it is not of the form that is described".into())
}

/// The inside of a value with nothing behind it.
fn only<'a>(outer: &mut Der<'a>, tag: u8) -> Read<Der<'a>> {
    let value = outer.expect(tag)?;
    outer.expect_end()?;
    Ok(value.inside())
}

/// Check the signed attributes; gives the moment.
fn read_attributes(attributes: Value<'_>, certificate: &[u8], content: &[u8]) -> Read<i64> {
    let mut found: Vec<(&[u8], Value)> = Vec::new();
    let mut inside = attributes.inside();
    while !inside.0.is_empty() {
        let mut attribute = inside.expect(SEQUENCE)?.inside();
        let name = attribute.expect(OBJECT)?.content;
        let mut values = only(&mut attribute, SET)?;
        let value = values.next()?;
        values.expect_end()?;
        if found.iter().any(|(other, _)| *other == name) {
            return Err("it has an attribute twice".into());
        }
        found.push((name, value));
    }
    let get = |wanted: &[u8], tag: u8| {
        let value = found.iter().find(|(name, value)| *name == wanted && value.tag == tag);
        value.map(|(_, value)| *value).ok_or_else(|| "it lacks an attribute".to_string())
    };
    is(get(CONTENT_TYPE, OBJECT)?.content, DATA)?;
    if get(MESSAGE_DIGEST, OCTETS)?.content != sha256(&[content]) {
        return Err("it is not over the note".into());
    }
    let mut inside = get(SIGNING_CERTIFICATE, SEQUENCE)?.inside();
    let mut identifiers = only(&mut inside, SEQUENCE)?;
    let mut identifier = only(&mut identifiers, SEQUENCE)?;
    if identifier.expect(OCTETS)?.content != sha256(&[certificate]) {
        return Err("it names another certificate than the one that it holds".into());
    }
    identifier.expect(SEQUENCE)?;
    identifier.expect_end()?;
    let text = get(SIGNING_TIME, UTC_TIME)?.content;
    let century = if text < &b"50"[..] { &b"20"[..] } else { &b"19"[..] };
    let whole = [century, text].concat();
    let is_short = text.len() == 13;
    is_short.then(|| read_time(&whole)).flatten().ok_or_else(|| "it states no moment".to_string())
}

fn verify_signature(
    certificate: &[u8], algorithm: &[u8], signed: &[u8], signature: &[u8],
) -> Read<()> {
    let mut inner = to_be_signed(certificate)?;
    for _ in 0..5 {
        inner.next()?;
    }
    let mut public = inner.expect(SEQUENCE)?.inside();
    let kind = public.expect(SEQUENCE)?.whole;
    let key = public.expect(BITS)?.content.get(1..).unwrap_or_default();
    let verification: &'static dyn VerificationAlgorithm = match (kind, algorithm) {
        (OF_P256, ECDSA) => &ECDSA_P256_SHA256_ASN1,
        (OF_RSA, RSA_PSS) => &RSA_PSS_2048_8192_SHA256,
        _ => return Err("it is of neither ECDSA P-256 nor RSA-PSS with SHA-256".into()),
    };
    UnparsedPublicKey::new(verification, key)
        .verify(signed, signature)
        .map_err(|_| "its signature is false".to_string())
}
