//! What a policy says to one effect. Pure: the facts are looked up elsewhere.

use super::{Category, Policy, Zone};

/// What is known of a thing that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Facts {
    /// Where it is.
    pub zone: Zone,
    /// Whether this run made it.
    pub made: bool,
}

/// Where something is moved to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Destination {
    /// Where that is.
    pub zone: Zone,
    /// What is there already and would be replaced: whether this run made it.
    pub replaces: Option<bool>,
}

/// The first category that an effect needs and that was not granted.
pub(super) type Missing = Option<Category>;

fn first_missing(policy: &Policy, needed: impl IntoIterator<Item = Category>) -> Missing {
    needed
        .into_iter()
        .find(|category| !policy.grants(*category))
}

/// What touching a zone at all needs.
fn of_zone(policy: &Policy, zone: Zone) -> Option<Category> {
    match zone {
        Zone::Agent => Some(Category::Tamper),
        Zone::Temporary => None,
        _ if policy.is_read_only() => Some(Category::Write),
        Zone::Workspace | Zone::Cache | Zone::Outside => None,
    }
}

/// Deleting.
pub(super) fn removal(policy: &Policy, facts: Facts) -> Missing {
    let delete = (!facts.made).then_some(Category::Delete);
    first_missing(
        policy,
        of_zone(policy, facts.zone).into_iter().chain(delete),
    )
}

/// Changing modes, owners and attributes.
pub(super) fn change(policy: &Policy, facts: Facts) -> Missing {
    let outside = match facts.zone {
        Zone::Outside => true,
        Zone::Temporary => !facts.made,
        Zone::Workspace | Zone::Cache | Zone::Agent => false,
    };
    let outside = outside.then_some(Category::Outside);
    first_missing(
        policy,
        of_zone(policy, facts.zone).into_iter().chain(outside),
    )
}

/// Moving. What leaves the workspace or a cache, and was not made by this run, is deleted there.
pub(super) fn movement(policy: &Policy, source: Facts, destination: Destination) -> Missing {
    let zones = [source.zone, destination.zone];
    let leaves = source.zone != destination.zone;
    let taken = match source.zone {
        _ if source.made => None,
        Zone::Workspace | Zone::Cache if leaves => Some(Category::Delete),
        Zone::Workspace | Zone::Cache | Zone::Agent => None,
        Zone::Temporary | Zone::Outside => Some(Category::Outside),
    };
    let replaced = destination.zone == Zone::Temporary && destination.replaces == Some(false);
    let put = (replaced || destination.zone == Zone::Outside).then_some(Category::Outside);
    let needed = zones
        .into_iter()
        .filter_map(|zone| of_zone(policy, zone))
        .chain(taken)
        .chain(put);
    first_missing(policy, needed)
}
